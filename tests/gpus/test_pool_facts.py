from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from gpus.allocator import Allocator
from gpus.catalog import load_catalog
from gpus.instance_type import Interconnect
from gpus.pool_facts import (
    AdvertisedResource,
    Advertiser,
    PoolFacts,
    PoolQuery,
    ResourceNaming,
    gpus_per_allocation,
    node_part,
    read_pool,
)
from gpus.purchase import Purchase
from gpus.sharing import Sharing, sharing_problems
from gpus.taint import NO_SCHEDULE, ProviderTaints, Taint

CATALOG = load_catalog()
A100_80 = CATALOG.model("A100-SXM-80")
GPU_TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
OWN_SPOT_TAINT = Taint("gpuplane.io/purchase", "spot", "NoSchedule")
ITS_SPOT_TAINT = Taint("example.com/spot", "true", "NoSchedule")


ASKED = PoolQuery(
    pool="train",
    model=A100_80,
    gpus_per_node=8,
    sharing=Sharing(),
    purpose="training",
    purchase=Purchase.ON_DEMAND,
    interconnect=Interconnect.ETHERNET,
    advertiser=Advertiser.OPERATOR,
    naming=ResourceNaming.OWN,
    uniform_mig=False,
    provider_taints=ProviderTaints(),
    allocator=Allocator.DEVICE_PLUGIN,
)


def query(**changes: Any) -> PoolQuery:
    return replace(ASKED, **changes)


def test_a_pool_s_facts_as_a_whole() -> None:
    sharing = Sharing(mig=(("1g.10gb", 7),), time_slicing=4)
    asked = query(
        sharing=sharing,
        purchase=Purchase.SPOT,
        interconnect=Interconnect.EFA,
        provider_labels={"example.com/zone": ("a", "b")},
    )
    assert read_pool(asked, CATALOG) == PoolFacts(
        pool="train",
        model=A100_80,
        gpus_per_node=8,
        sharing=sharing,
        resources=(
            AdvertisedResource(
                name="nvidia.com/mig-1g.10gb.shared",
                per_node=224,
                shared=True,
                mig_profile="1g.10gb",
                memory_mib=10240,
            ),
        ),
        labels={
            "gpuplane.io/gpu-model": "a100",
            "gpuplane.io/interconnect": "efa",
            "gpuplane.io/nvlink": "true",
            "gpuplane.io/pool": "train",
            "gpuplane.io/purchase": "spot",
            "gpuplane.io/purpose": "training",
            "nvidia.com/device-plugin.config": "mig-1g.10gb-time-slicing-4",
            "nvidia.com/gpu.product": "NVIDIA-A100-SXM4-80GB",
            "nvidia.com/mig.config": "mig-1g.10gb-x7",
        },
        taints=(GPU_TAINT, OWN_SPOT_TAINT),
        provider_taints=(),
        spot_taint=OWN_SPOT_TAINT,
        allocations_per_node=224,
        fixed_labels={
            "example.com/zone": ("a", "b"),
            "kubernetes.io/arch": ("amd64",),
            "kubernetes.io/os": ("linux",),
            "nvidia.com/gpu.compute.major": ("8",),
            "nvidia.com/gpu.compute.minor": ("0",),
            "nvidia.com/gpu.count": ("8",),
            "nvidia.com/gpu.family": ("ampere",),
            "nvidia.com/gpu.memory": ("71680 to 92160",),
            "nvidia.com/gpu.present": ("true",),
            "nvidia.com/gpu.product": ("NVIDIA-A100-SXM4-80GB",),
        },
        passing_labels={"nvidia.com/gpu.replicas": "0", "nvidia.com/gpu.sharing-strategy": "none"},
    )


@pytest.mark.parametrize(
    ("changes", "memory", "replicas", "strategy"),
    [
        ({}, "71680 to 92160", "1", "none"),
        ({"sharing": Sharing(time_slicing=4)}, "71680 to 92160", "4", "time-slicing"),
        ({"sharing": Sharing(mps=4)}, "71680 to 92160", "4", "mps"),
        ({"sharing": Sharing(mig=(("1g.10gb", 7),))}, "71680 to 92160", "0", "none"),
        (
            {"sharing": Sharing(mig=(("1g.10gb", 7),)), "naming": ResourceNaming.WHOLE},
            "8960 to 11520",
            "1",
            "none",
        ),
        ({"sharing": Sharing(mps=4), "naming": ResourceNaming.WHOLE}, "71680 to 92160", "4", "mps"),
        ({"advertiser": Advertiser.GKE}, "71680 to 92160", None, None),
        ({"allocator": Allocator.DRA}, "71680 to 92160", None, None),
    ],
)
def test_gpu_feature_discovery_says_how_much_memory_and_how_many_replicas_there_are(
    changes: dict[str, Any], memory: str, replicas: str | None, strategy: str | None
) -> None:
    facts = read_pool(query(**changes), CATALOG)
    assert facts.fixed_labels["nvidia.com/gpu.memory"] == (memory,)
    assert facts.passing_labels.get("nvidia.com/gpu.replicas") == replicas
    assert facts.passing_labels.get("nvidia.com/gpu.sharing-strategy") == strategy


@pytest.mark.parametrize(
    ("gpus_per_node", "sharing", "advertised"),
    [
        (8, Sharing(), {"nvidia.com/gpu": (8, 81920)}),
        (8, Sharing(time_slicing=4), {"nvidia.com/gpu.shared": (32, 81920)}),
        (8, Sharing(mps=4), {"nvidia.com/gpu.shared": (32, 20480)}),
        (1, Sharing(mig=(("1g.10gb", 7),)), {"nvidia.com/mig-1g.10gb": (7, 10240)}),
        (
            1,
            Sharing(mig=(("1g.10gb", 7),), time_slicing=4),
            {"nvidia.com/mig-1g.10gb.shared": (28, 10240)},
        ),
        (
            2,
            Sharing(mig=(("1g.10gb", 1), ("1g.10gb+me", 1), ("2g.20gb", 1), ("3g.40gb", 1))),
            {
                "nvidia.com/mig-1g.10gb": (2, 10240),
                "nvidia.com/mig-1g.10gb.me": (2, 10240),
                "nvidia.com/mig-2g.20gb": (2, 20480),
                "nvidia.com/mig-3g.40gb": (2, 40960),
            },
        ),
    ],
)
def test_partitions_and_shared_gpus_have_names_of_their_own(
    gpus_per_node: int, sharing: Sharing, advertised: dict[str, tuple[int, int]]
) -> None:
    facts = read_pool(query(sharing=sharing, gpus_per_node=gpus_per_node), CATALOG)
    assert {each.name: (each.per_node, each.memory_mib) for each in facts.resources} == advertised


@pytest.mark.parametrize(
    ("sharing", "resource"),
    [
        (Sharing(), AdvertisedResource("nvidia.com/gpu", 8, False, None, 81920)),
        (
            Sharing(mig=(("1g.10gb", 7),)),
            AdvertisedResource("nvidia.com/gpu", 56, False, "1g.10gb", 10240),
        ),
        (Sharing(time_slicing=2), AdvertisedResource("nvidia.com/gpu", 16, True, None, 81920)),
        (
            Sharing(mig=(("3g.40gb", 1), ("1g.10gb", 4)), time_slicing=2),
            AdvertisedResource("nvidia.com/gpu", 80, True, None, 10240),
        ),
    ],
)
def test_partitions_and_shared_gpus_may_be_named_as_whole_gpus(
    sharing: Sharing, resource: AdvertisedResource
) -> None:
    asked = query(sharing=sharing, naming=ResourceNaming.WHOLE)
    assert read_pool(asked, CATALOG).resources == (resource,)


@pytest.mark.parametrize(
    ("sharing", "whole", "own"),
    [
        (Sharing(), "", ""),
        (Sharing(time_slicing=4), "-SHARED", ""),
        (Sharing(mps=4), "-SHARED", ""),
        (Sharing(mig=(("1g.10gb", 7),)), "-MIG-1g.10gb", ""),
        (Sharing(mig=(("1g.10gb+me", 1),)), "-MIG-1g.10gb.me", ""),
        (Sharing(mig=(("1g.10gb", 7),), time_slicing=4), "-MIG-1g.10gb-SHARED", ""),
    ],
)
def test_the_product_says_what_is_named_as_a_whole_gpu_and_is_none(
    sharing: Sharing, whole: str, own: str
) -> None:
    labelled = {
        naming: read_pool(query(sharing=sharing, naming=naming), CATALOG).labels
        for naming in ResourceNaming
    }
    assert {naming: labels["nvidia.com/gpu.product"] for naming, labels in labelled.items()} == {
        ResourceNaming.WHOLE: f"NVIDIA-A100-SXM4-80GB{whole}",
        ResourceNaming.OWN: f"NVIDIA-A100-SXM4-80GB{own}",
    }


@pytest.mark.parametrize(
    ("model", "resource", "taint_key"),
    [
        ("MI300X", "amd.com/gpu", "amd.com/gpu"),
        ("Max-1550", "gpu.intel.com/i915", "gpu.intel.com/i915"),
        ("Gaudi3", "habana.ai/gaudi", "habana.ai/gaudi"),
    ],
)
def test_other_vendors_have_their_own_resource_and_taint_and_none_of_nvidia_s_labels(
    model: str, resource: str, taint_key: str
) -> None:
    facts = read_pool(query(model=CATALOG.model(model)), CATALOG)
    assert [(each.name, each.per_node) for each in facts.resources] == [(resource, 8)]
    assert facts.taints == (Taint(taint_key, "present", "NoSchedule"),)
    assert facts.labels == {
        "gpuplane.io/gpu-model": CATALOG.model(model).family,
        "gpuplane.io/interconnect": "ethernet",
        "gpuplane.io/pool": "train",
        "gpuplane.io/purchase": "on-demand",
        "gpuplane.io/purpose": "training",
    }


@pytest.mark.parametrize(
    ("by_provider", "taints", "provider_taints"),
    [
        (ProviderTaints(), (GPU_TAINT, OWN_SPOT_TAINT), ()),
        (ProviderTaints(gpu_vendors=("nvidia",)), (GPU_TAINT, OWN_SPOT_TAINT), (GPU_TAINT,)),
        (ProviderTaints(gpu_vendors=("amd",)), (GPU_TAINT, OWN_SPOT_TAINT), ()),
        (ProviderTaints(spot=ITS_SPOT_TAINT), (GPU_TAINT, ITS_SPOT_TAINT), ()),
        (
            ProviderTaints(spot=ITS_SPOT_TAINT, sets_spot=True),
            (GPU_TAINT, ITS_SPOT_TAINT),
            (ITS_SPOT_TAINT,),
        ),
    ],
)
def test_which_taints_spot_nodes_have_and_which_the_provider_sets(
    by_provider: ProviderTaints, taints: tuple[Taint, ...], provider_taints: tuple[Taint, ...]
) -> None:
    asked = query(purchase=Purchase.SPOT, provider_taints=by_provider)
    facts = read_pool(asked, CATALOG)
    assert (facts.taints, facts.provider_taints) == (taints, provider_taints)


@pytest.mark.parametrize("purchase", [Purchase.RESERVED, Purchase.ON_DEMAND])
def test_only_spot_nodes_have_the_taint_of_spot_nodes(purchase: Purchase) -> None:
    by_provider = ProviderTaints(spot=ITS_SPOT_TAINT, sets_spot=True)
    facts = read_pool(query(purchase=purchase, provider_taints=by_provider), CATALOG)
    assert (facts.taints, facts.provider_taints) == ((GPU_TAINT,), ())


@pytest.mark.parametrize(
    ("architectures", "added"),
    [((), ()), (("arm64",), (Taint("kubernetes.io/arch", "arm64", "NoSchedule"),))],
)
def test_a_provider_may_taint_machines_by_their_architecture(
    architectures: tuple[str, ...], added: tuple[Taint, ...]
) -> None:
    by_provider = ProviderTaints(host_architectures=architectures)
    asked = query(model=CATALOG.model("GB200"), provider_taints=by_provider)
    facts = read_pool(asked, CATALOG)
    assert (facts.taints, facts.provider_taints) == ((GPU_TAINT, *added), added)


def test_where_the_provider_partitions_the_mig_manager_is_asked_for_nothing() -> None:
    asked = query(sharing=Sharing(mig=(("1g.10gb", 7),), time_slicing=2), uniform_mig=True)
    labels = read_pool(asked, CATALOG).labels
    assert "nvidia.com/mig.config" not in labels
    assert labels["nvidia.com/device-plugin.config"] == "mig-1g.10gb-time-slicing-2"


def test_where_google_advertises_no_label_of_the_operator_is_set() -> None:
    sharing = Sharing(mig=(("1g.10gb", 7),), time_slicing=2)
    asked = query(sharing=sharing, advertiser=Advertiser.GKE)
    assert not [key for key in read_pool(asked, CATALOG).labels if key.startswith("nvidia.com/")]


@pytest.mark.parametrize(
    ("model", "gpus_per_node", "expected"),
    [("A100-SXM-80", 8, "true"), ("A100-SXM-80", 1, None), ("L4", 8, None)],
)
def test_nvlink_needs_the_model_and_more_than_one_gpu(
    model: str, gpus_per_node: int, expected: str | None
) -> None:
    asked = query(model=CATALOG.model(model), gpus_per_node=gpus_per_node)
    assert read_pool(asked, CATALOG).labels.get("gpuplane.io/nvlink") == expected


def test_a_pool_that_cannot_be_is_refused_with_every_reason() -> None:
    asked = query(
        model=CATALOG.model("L4"), sharing=Sharing(mig=(("1g.10gb", 7),), mps=2), gpus_per_node=0
    )
    with pytest.raises(ValueError, match="pool train") as failure:
        read_pool(asked, CATALOG)
    assert str(failure.value) == (
        "pool train: 0 GPUs on a node; at least 1; L4 has no MIG; it can be shared by "
        "time-slicing or MPS; MPS does not work on MIG instances; share them by time-slicing"
    )


@st.composite
def queries(draw: st.DrawFn) -> PoolQuery:
    model = draw(st.sampled_from(list(CATALOG.models.values())))
    profiles = model.mig.profiles if model.mig else ()
    layout = {
        profile.name: draw(st.integers(1, profile.max_count))
        for profile in profiles
        if draw(st.booleans())
    }
    sharing = Sharing(
        mig=tuple(layout.items()),
        time_slicing=draw(st.sampled_from((1, 2, 10))),
        mps=draw(st.sampled_from((1, 1, 4))),
    )
    return query(
        model=model,
        sharing=Sharing() if sharing_problems(sharing, model) else sharing,
        gpus_per_node=draw(st.integers(1, 16)),
        purchase=draw(st.sampled_from(Purchase)),
        interconnect=draw(st.sampled_from(Interconnect)),
        advertiser=draw(st.sampled_from(Advertiser)),
        naming=draw(st.sampled_from(ResourceNaming)),
        uniform_mig=draw(st.booleans()),
        provider_taints=ProviderTaints(
            gpu_vendors=draw(st.sampled_from(((), ("nvidia",)))),
            host_architectures=draw(st.sampled_from(((), ("arm64",)))),
            spot=draw(st.sampled_from((None, ITS_SPOT_TAINT))),
            sets_spot=draw(st.booleans()),
        ),
    )


@settings(deadline=None)
@given(queries())
def test_a_node_holds_as_many_allocations_as_its_gpus_are_cut_and_shared(asked: PoolQuery) -> None:
    facts = read_pool(asked, CATALOG)
    instances = sum(count for _, count in asked.sharing.mig) or 1
    expected = asked.gpus_per_node * instances * asked.sharing.replicas
    assert facts.allocations_per_node == expected
    assert sum(resource.per_node for resource in facts.resources) == expected


@settings(deadline=None)
@given(queries())
def test_the_naming_never_changes_the_number(asked: PoolQuery) -> None:
    counts = {
        read_pool(replace(asked, naming=naming), CATALOG).allocations_per_node
        for naming in ResourceNaming
    }
    assert len(counts) == 1


@settings(deadline=None)
@given(queries())
def test_names_of_resources_differ_labels_are_sorted_and_provider_taints_stand(
    asked: PoolQuery,
) -> None:
    facts = read_pool(asked, CATALOG)
    names = [resource.name for resource in facts.resources]
    assert len(names) == len(set(names))
    assert list(facts.labels) == sorted(facts.labels)
    assert set(facts.provider_taints) <= set(facts.taints)


def test_with_dra_pods_ask_for_what_no_node_advertises() -> None:
    facts = read_pool(query(allocator=Allocator.DRA), CATALOG)
    assert facts.resources == (AdvertisedResource("nvidia.com/gpu", 8, False, None, 81920),)
    assert facts.advertised == ()
    assert (facts.device_class, facts.allocations_per_node) == ("gpu.nvidia.com", 8)


def test_a_node_runs_the_device_plugin_or_the_dra_driver() -> None:
    keys = ("nvidia.com/gpu.deploy.device-plugin", "nvidia.com/dra-kubelet-plugin")
    by_allocator = {
        allocator: read_pool(query(allocator=allocator), CATALOG).labels for allocator in Allocator
    }
    assert {
        allocator: tuple(labels.get(key) for key in keys)
        for allocator, labels in by_allocator.items()
    } == {Allocator.DEVICE_PLUGIN: (None, None), Allocator.DRA: ("false", "true")}


def test_a_pool_that_dra_cannot_give_out_has_no_facts() -> None:
    with pytest.raises(
        ValueError, match=r"^pool train: DRA allocates whole GPUs alone, and these are"
    ):
        read_pool(query(sharing=Sharing(time_slicing=2), allocator=Allocator.DRA), CATALOG)


SEVEN = Sharing(mig=(("1g.10gb", 7),))
SHARED_SEVEN = Sharing(mig=(("1g.10gb", 7),), time_slicing=4)
MIXED = Sharing(mig=(("1g.10gb", 2), ("2g.20gb", 1), ("3g.40gb", 1)))


def facts_of(sharing: Sharing, naming: ResourceNaming) -> PoolFacts:
    return read_pool(query(sharing=sharing, naming=naming), CATALOG)


@pytest.mark.parametrize(
    ("sharing", "naming", "parts"),
    [
        (Sharing(), ResourceNaming.OWN, {"nvidia.com/gpu": Fraction(1)}),
        (Sharing(time_slicing=4), ResourceNaming.OWN, {"nvidia.com/gpu.shared": Fraction(1, 4)}),
        (Sharing(mps=8), ResourceNaming.WHOLE, {"nvidia.com/gpu": Fraction(1, 8)}),
        (SEVEN, ResourceNaming.OWN, {"nvidia.com/mig-1g.10gb": Fraction(1, 7)}),
        (SEVEN, ResourceNaming.WHOLE, {"nvidia.com/gpu": Fraction(1, 7)}),
        (SHARED_SEVEN, ResourceNaming.OWN, {"nvidia.com/mig-1g.10gb.shared": Fraction(1, 28)}),
        (
            MIXED,
            ResourceNaming.OWN,
            {
                "nvidia.com/mig-1g.10gb": Fraction(1, 7),
                "nvidia.com/mig-2g.20gb": Fraction(2, 7),
                "nvidia.com/mig-3g.40gb": Fraction(3, 7),
            },
        ),
        (MIXED, ResourceNaming.WHOLE, {"nvidia.com/gpu": Fraction(1, 4)}),
        (
            Sharing(mig=(("3g.40gb", 2),)),
            ResourceNaming.OWN,
            {"nvidia.com/mig-3g.40gb": Fraction(3, 7)},
        ),
    ],
)
def test_an_allocation_is_a_gpu_or_a_part_of_one(
    sharing: Sharing, naming: ResourceNaming, parts: dict[str, Fraction]
) -> None:
    facts = facts_of(sharing, naming)
    assert {each.name: gpus_per_allocation(facts, each) for each in facts.resources} == parts


def test_all_allocations_of_a_node_are_its_gpus_unless_slices_are_left_over() -> None:
    def together(sharing: Sharing) -> Fraction:
        facts = facts_of(sharing, ResourceNaming.OWN)
        return sum(
            (each.per_node * gpus_per_allocation(facts, each) for each in facts.resources),
            Fraction(),
        )

    assert [together(each) for each in (Sharing(), SHARED_SEVEN, MIXED)] == [8, 8, 8]
    assert together(Sharing(mig=(("3g.40gb", 2),))) == 8 * Fraction(6, 7)


@pytest.mark.parametrize("naming", ResourceNaming)
@pytest.mark.parametrize(
    "sharing", [Sharing(), SHARED_SEVEN, MIXED, Sharing(mig=(("3g.40gb", 2),))]
)
def test_all_that_a_node_offers_shares_it_out(sharing: Sharing, naming: ResourceNaming) -> None:
    facts = facts_of(sharing, naming)
    assert sum(each.per_node * node_part(facts, each) for each in facts.resources) == 1


def test_a_taint_is_written_as_kubectl_writes_it() -> None:
    taint = Taint("nvidia.com/gpu", "present", NO_SCHEDULE)
    assert str(taint) == "nvidia.com/gpu=present:NoSchedule"
