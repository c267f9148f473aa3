import re
from pathlib import Path

import pytest
import yaml

from charts_py.cluster_file.pool import Purpose
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.registry_mirrors import RegistryMirrors
from charts_py.providers.eks.karpenter import (
    LIFECYCLES,
    MINIMUM_SUFFIX,
    NAME_WITH_MINIMUM,
    Lifecycle,
    ec2_node_class,
    node_overlay,
    node_pools,
    warm_nodes,
)
from gpus.platform_names import MAX_LABEL_VALUE
from gpus.taint import Taint
from tests.charts_py.fixture_types import ObjectsOf, PlatformWith

G5 = "instanceType: g5.12xlarge, purpose: notebooks"


@pytest.mark.parametrize(
    ("fields", "added"),
    [
        ("nodes: {max: 6}", set()),
        ("nodes: {min: 2, max: 6}", {"NodePool pool.minimum"}),
        ("nodes: {max: 6, warm: 2}", {"CapacityBuffer warm-pool", "PodTemplate warm-pool"}),
        ("nodes: {max: 6}, sharing: {timeSlicing: 4}", {"NodeOverlay pool"}),
    ],
)
def test_a_pool_has_what_its_features_need_and_nothing_else(
    platform_with: PlatformWith, objects_of: ObjectsOf, fields: str, added: set[str]
) -> None:
    objects = objects_of(platform_with("eks", f"{{{G5}, {fields}}}"))
    assert set(objects) == {"EC2NodeClass pool", "NodePool pool", *added}


RESERVED = """
    instanceType: p5.48xlarge
    purpose: training
    nodes: {min: 4, max: 16}
    purchase: reserved
    reservation: cr-0123456789abcdef0
    zones: [us-east-1a, us-east-1b]
"""


def whole(name: str) -> Document:
    """Return one of the objects of `karpenter.yaml`."""
    file = Path(__file__).with_name("karpenter.yaml")
    found: dict[str, Document] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return found[name]


def made(platform: Platform) -> list[Document]:
    (pool,) = platform.pools
    return list(node_pools(pool))


def test_a_minimum_size_stands_in_a_node_pool_of_its_own_beside_the_one_that_grows(
    platform_with: PlatformWith,
) -> None:
    growing = whole("node pool")
    least = whole("node pool")
    least["metadata"]["name"] = "pool.minimum"
    least["spec"] |= {"limits": {"nodes": "5"}, "replicas": 4}
    assert made(platform_with("eks", RESERVED)) == [least, growing]


@pytest.mark.parametrize(
    ("nodes", "limits"),
    [
        ("{max: 3}", {"pool": "3"}),
        ("{min: 1, max: 3}", {"pool": "2", "pool.minimum": "2"}),
        ("{min: 3, max: 3}", {"pool.minimum": "4"}),
    ],
)
def test_node_pools_together_grow_to_the_maximum_size(
    platform_with: PlatformWith, nodes: str, limits: dict[str, str]
) -> None:
    pool = f"{{instanceType: g6.xlarge, purpose: batch, nodes: {nodes}}}"
    found = {
        document["metadata"]["name"]: document["spec"]["limits"]["nodes"]
        for document in made(platform_with("eks", pool))
    }
    assert found == limits


@pytest.mark.parametrize(
    ("purpose", "policy", "expiry", "grace", "at_once"),
    [
        ("training", "WhenEmpty", "Never", None, "0"),
        ("batch", "WhenEmpty", "720h", "6h", "1"),
        ("notebooks", "WhenEmpty", "720h", "12h", "1"),
        ("inference", "WhenEmptyOrUnderutilized", "720h", "1h", "1"),
    ],
)
def test_the_purpose_decides_when_a_node_may_go(
    platform_with: PlatformWith,
    purpose: str,
    policy: str,
    expiry: str,
    grace: str | None,
    at_once: str,
) -> None:
    pool = f"{{instanceType: g6.xlarge, purpose: {purpose}, nodes: {{max: 3}}}}"
    (found,) = made(platform_with("eks", pool))
    spec = found["spec"]
    template = spec["template"]["spec"]
    assert (
        spec["disruption"]["consolidationPolicy"],
        template["expireAfter"],
        template.get("terminationGracePeriod"),
        spec["disruption"]["budgets"],
    ) == (
        policy,
        expiry,
        grace,
        [
            {"nodes": "100%", "reasons": ["Empty"]},
            {"nodes": at_once, "reasons": ["Drifted", "Underutilized"]},
        ],
    )


@pytest.mark.parametrize("purpose", list(Purpose))
def test_nodes_of_the_minimum_never_expire(platform_with: PlatformWith, purpose: Purpose) -> None:
    pool = f"{{instanceType: g6.xlarge, purpose: {purpose}, nodes: {{min: 2, max: 2}}}}"
    (minimum,) = made(platform_with("eks", pool))
    assert minimum["spec"]["template"]["spec"]["expireAfter"] == "Never"


@pytest.mark.parametrize("purpose", list(Purpose))
def test_nodes_of_a_capacity_block_stay_until_they_are_drained_before_its_end(
    platform_with: PlatformWith, purpose: Purpose
) -> None:
    pool = (
        f"{{instanceType: p5.48xlarge, purpose: {purpose}, nodes: {{max: 3}}, "
        "purchase: capacity-block, reservation: cr-0123456789abcdef0}"
    )
    (found,) = made(platform_with("eks", pool))
    spec = found["spec"]
    template = spec["template"]["spec"]
    assert spec["disruption"] == {
        "consolidationPolicy": "WhenEmpty",
        "consolidateAfter": "Never",
        "budgets": [
            {"nodes": "100%", "reasons": ["Empty"]},
            {"nodes": "0", "reasons": ["Drifted", "Underutilized"]},
        ],
    }
    assert (template["expireAfter"], template["terminationGracePeriod"]) == ("Never", "10m")
    assert template["requirements"][:2] == [
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["reserved"]},
        {
            "key": "karpenter.k8s.aws/capacity-reservation-type",
            "operator": "In",
            "values": ["capacity-block"],
        },
    ]


def test_spot_nodes_carry_the_taint_that_pods_opt_in_to(platform_with: PlatformWith) -> None:
    pool = "{instanceType: g6.xlarge, purpose: batch, nodes: {max: 3}, purchase: spot}"
    (found,) = made(platform_with("eks", pool))
    template = found["spec"]["template"]["spec"]
    assert template["requirements"][0]["values"] == ["spot"]
    assert template["taints"] == [
        {"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"},
        {"key": "gpuplane.io/purchase", "value": "spot", "effect": "NoSchedule"},
    ]


def test_nodes_start_with_the_taints_that_a_component_takes_off(
    platform_with: PlatformWith,
) -> None:
    pool = "{instanceType: g6.xlarge, purpose: batch, nodes: {min: 1, max: 2}}"
    (found,) = platform_with("eks", pool).pools
    starting = Taint("example.com/starting", "true", "NoSchedule")
    templates = [each["spec"]["template"]["spec"] for each in node_pools(found, (starting,))]
    assert [template["startupTaints"] for template in templates] == [
        [{"key": "example.com/starting", "value": "true", "effect": "NoSchedule"}]
    ] * 2
    assert not any("startupTaints" in str(document) for document in node_pools(found))


def test_the_longest_name_leaves_room_for_the_suffix_in_a_label() -> None:
    longest = "a" * NAME_WITH_MINIMUM.max_length
    assert len(longest + MINIMUM_SUFFIX) == MAX_LABEL_VALUE
    assert re.fullmatch(NAME_WITH_MINIMUM.pattern, longest)
    assert not re.fullmatch(NAME_WITH_MINIMUM.pattern, f"{longest}a")


OVERLAY = """
apiVersion: karpenter.sh/v1alpha1
kind: NodeOverlay
metadata:
  name: pool
  labels: {app.kubernetes.io/managed-by: gpuplane}
spec:
  requirements:
  - {key: gpuplane.io/pool, operator: In, values: [pool]}
  capacity:
    nvidia.com/gpu: "0"
    nvidia.com/mig-1g.10gb: "16"
    nvidia.com/mig-2g.20gb: "8"
    nvidia.com/mig-3g.40gb: "8"
"""

MIG = "sharing: {mig: {1g.10gb: 2, 2g.20gb: 1, 3g.40gb: 1}}"


def test_mig_instances_stand_in_for_the_whole_gpus(platform_with: PlatformWith) -> None:
    pool = f"{{instanceType: p4de.24xlarge, purpose: batch, nodes: {{max: 1}}, {MIG}}}"
    (found,) = platform_with("eks", pool).pools
    assert node_overlay(found) == yaml.safe_load(OVERLAY)


@pytest.mark.parametrize(
    ("sharing", "capacity"),
    [
        ("{timeSlicing: 4}", {"nvidia.com/gpu": "0", "nvidia.com/gpu.shared": "16"}),
        ("{mps: 2}", {"nvidia.com/gpu": "0", "nvidia.com/gpu.shared": "8"}),
    ],
)
def test_shared_gpus_stand_in_for_the_whole_ones(
    platform_with: PlatformWith, sharing: str, capacity: dict[str, str]
) -> None:
    pool = f"{{instanceType: g5.12xlarge, purpose: batch, nodes: {{max: 1}}, sharing: {sharing}}}"
    (found,) = platform_with("eks", pool).pools
    assert node_overlay(found)["spec"]["capacity"] == capacity


PAGE = Path(__file__).parents[4] / "docs" / "eks.md"
HOURS_A_DAY = 24


def _row(purpose: Purpose) -> list[str]:
    """Return the cells of its row in the table of five columns."""
    text = PAGE.read_text(encoding="utf-8")
    (cells,) = re.findall(rf"^\| `{purpose}` \|((?: [^|]+ \|){{5}})$", text, re.MULTILINE)
    return [cell.strip() for cell in str(cells).split("|")[:-1]]


def _told(lifecycle: Lifecycle) -> list[str]:
    replaced = "one at a time" if lifecycle.replaced_at_once == 1 else "stays"
    is_packed = lifecycle.consolidation_policy == "WhenEmptyOrUnderutilized"
    hours = re.sub(r"h$", "", lifecycle.expire_after)
    return [
        f"after {lifecycle.consolidate_after.removesuffix('m')} minutes",
        replaced if is_packed else "stays",
        replaced,
        "never" if hours == "Never" else f"after {int(hours) // HOURS_A_DAY} days",
        _hours(lifecycle.termination_grace_period),
    ]


def _hours(period: str | None) -> str:
    if period is None:
        return "none"
    count = period.removesuffix("h")
    return f"{count} hour" if count == "1" else f"{count} hours"


@pytest.mark.parametrize("purpose", list(Purpose))
def test_the_page_tells_when_a_node_goes(purpose: Purpose) -> None:
    assert _row(purpose) == _told(LIFECYCLES[purpose])


def test_a_warm_node_is_an_imaginary_pod_that_asks_for_a_whole_node(
    platform_with: PlatformWith,
) -> None:
    pool = (
        "{instanceType: g5.12xlarge, purpose: notebooks, nodes: {max: 6, warm: 2}, "
        "purchase: spot, sharing: {timeSlicing: 4}}"
    )
    (found,) = platform_with("eks", pool).pools
    assert list(warm_nodes(found, RegistryMirrors({}))) == [
        whole("pod template"),
        whole("capacity buffer"),
    ]


G5_LARGE = "instanceType: g5.8xlarge, purpose: batch, nodes: {max: 1}"


def node_class(platform: Platform) -> Document:
    return ec2_node_class(platform.pools[0], platform)


def test_a_node_class_as_a_whole(platform_with: PlatformWith) -> None:
    bought = "purchase: reserved, reservation: cr-0123456789abcdef0, maxPods: 200"
    found = node_class(platform_with("eks", f"{{{G5_LARGE}, {bought}}}"))
    assert found == whole("node class")


@pytest.mark.parametrize("purchase", ["on-demand", "spot"])
def test_only_reserved_pools_take_reservations(platform_with: PlatformWith, purchase: str) -> None:
    found = node_class(platform_with("eks", f"{{{G5_LARGE}, purchase: {purchase}}}"))
    assert "capacityReservationSelectorTerms" not in found["spec"]


def test_an_operator_that_owns_the_driver_gets_an_image_without_one(
    platform_with: PlatformWith,
) -> None:
    spec = node_class(platform_with("eks-ubuntu", f"{{{G5_LARGE}}}", driver="{owner: operator}"))[
        "spec"
    ]
    parameter = (
        "/aws/service/canonical/ubuntu/eks/24.04/1.35/stable/20260709/amd64/hvm/ebs-gp3/ami-id"
    )
    assert spec["amiFamily"] == "AL2"
    assert spec["amiSelectorTerms"] == [{"ssmParameter": parameter}]
    assert spec["blockDeviceMappings"][0]["deviceName"] == "/dev/sda1"
    assert "instanceStorePolicy" not in spec


def test_machines_without_local_disks_have_no_policy_for_them(platform_with: PlatformWith) -> None:
    pool = "{instanceType: p3.2xlarge, purpose: batch, nodes: {max: 1}}"
    spec = node_class(platform_with("eks", pool))["spec"]
    assert "instanceStorePolicy" not in spec
