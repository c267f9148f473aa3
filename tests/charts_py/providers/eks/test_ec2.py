import pytest

from charts_py.platform.platform import Platform
from charts_py.providers.eks.ec2 import (
    NEWEST_RELEASES,
    amazon_linux_release,
    network_interfaces,
    node_image,
)
from gpus.catalog import load_catalog
from gpus.instance_type import Interconnect
from gpus.provider import Provider
from tests.charts_py.fixture_types import Load, PlatformWith, Sample
from tests.rows import rows_beside
from upstream.kubernetes_version import KubernetesVersion

each_row = rows_beside(__file__, "ec2.yaml")

WITHOUT = "nodeRole: training-gpu-nodes"


@pytest.fixture
def platform(platform_after: PlatformWith) -> PlatformWith:
    """Return the function that loads the sample with other settings of EKS and Kubernetes."""

    def load(kubernetes: str, release: str | None = None) -> Platform:
        added = f"{WITHOUT}\n  imageRelease: {release}" if release else WITHOUT
        return platform_after(
            "eks", (WITHOUT, added), ('kubernetes: "1.35"', f'kubernetes: "{kubernetes}"')
        )

    return load


@pytest.mark.parametrize("version", list(NEWEST_RELEASES))
def test_each_kubernetes_version_has_a_release_of_its_own(version: KubernetesVersion) -> None:
    assert NEWEST_RELEASES[version].startswith(f"{version}.")


@pytest.mark.parametrize("version", list(NEWEST_RELEASES))
def test_the_newest_known_release_is_the_default(
    platform: PlatformWith, version: KubernetesVersion
) -> None:
    assert amazon_linux_release(platform(version)) == NEWEST_RELEASES[version]


def test_karpenter_is_told_the_date_of_the_release_and_never_the_latest(
    platform: PlatformWith,
) -> None:
    found = node_image(platform("1.35", "1.35.4-20260601"), "amd64")
    assert found.selection == {"amiSelectorTerms": [{"alias": "al2023@v20260601"}]}


WITH_EFA = {
    name: machine.rdma_interfaces
    for name, machine in load_catalog().instance_types[Provider.EKS].items()
    if machine.rdma is Interconnect.EFA
}


def interfaces(platform_with: PlatformWith, pool: str) -> list[tuple[object, object, object]]:
    (found,) = platform_with("eks", pool).pools
    return [
        (interface["networkCardIndex"], interface["deviceIndex"], interface["interfaceType"])
        for interface in network_interfaces(found.hardware)
    ]


def test_a_p5_has_ip_on_its_primary_interface_and_efa_on_every_card(
    platform_with: PlatformWith,
) -> None:
    pool = "{instanceType: p5.48xlarge, purpose: training, nodes: {max: 1}}"
    assert interfaces(platform_with, pool) == [
        (0, 0, "interface"),
        (0, 1, "efa-only"),
        *((card, 0, "efa-only") for card in range(1, 32)),
    ]


def test_the_primary_card_of_a_p6_b300_takes_no_adapter(platform_with: PlatformWith) -> None:
    pool = "{instanceType: p6-b300.48xlarge, purpose: training, nodes: {max: 1}}"
    assert interfaces(platform_with, pool) == [
        (0, 0, "interface"),
        *((card, 0, "efa-only") for card in range(1, 17)),
    ]


def test_a_pool_on_ethernet_leaves_the_interfaces_to_the_provider(
    platform_with: PlatformWith,
) -> None:
    pool = "{instanceType: p5.48xlarge, purpose: training, nodes: {max: 1}, interconnect: ethernet}"
    assert interfaces(platform_with, pool) == []


@pytest.mark.parametrize("instance_type", sorted(WITH_EFA))
def test_each_card_has_one_adapter_and_no_place_is_taken_twice(
    platform_with: PlatformWith, instance_type: str
) -> None:
    pool = f"{{instanceType: {instance_type}, purpose: training, nodes: {{max: 1}}}}"
    found = interfaces(platform_with, pool)
    adapters = [card for card, _, kind in found if kind == "efa-only"]
    places = [(card, device) for card, device, _ in found]
    assert found[0] == (0, 0, "interface")
    assert len(adapters) == len(set(adapters)) == WITH_EFA[instance_type]
    assert len(places) == len(set(places))


CLUSTER_NAME = "clusterName: training"
MACHINES = load_catalog().instance_types[Provider.EKS]


def max_pods(name: str, sample: Sample, platform_of: Load, *changes: tuple[str, str]) -> int:
    return platform_of(sample(name, *changes)).pool("h100").max_pods


@pytest.mark.parametrize(
    ("name", "settings", "interconnect", "expected"),
    [
        # The first of its 32 network cards has two interfaces of 50 addresses, one for EFA alone.
        ("eks", "", "efa", 51),
        ("eks", "", "ethernet", 100),
        # eksctl gives the primary interface both.
        ("eksctl", "", "efa", 100),
        # The kubelet's default, below the 786 that there are addresses for.
        ("eks", "  prefixDelegation: true\n", "efa", 110),
    ],
)
def test_a_p5_holds_the_pods_that_it_has_addresses_for(
    sample: Sample, platform_of: Load, name: str, settings: str, interconnect: str, expected: int
) -> None:
    network = ("zones: [", f"interconnect: {interconnect}\n    zones: [")
    changed = (f"{CLUSTER_NAME}\n", f"{CLUSTER_NAME}\n{settings}")
    assert max_pods(name, sample, platform_of, network, changed) == expected


@each_row("max_pods")
def test_the_interfaces_are_those_that_the_cni_counts(instance_type: str, pods: int) -> None:
    machine = MACHINES[instance_type]
    assert machine.pod_interfaces * (machine.interface_addresses - 1) + 2 == pods


def test_the_interfaces_of_every_instance_type_are_known() -> None:
    unknown = {
        name
        for name, machine in MACHINES.items()
        if machine.pod_interfaces < 2 or machine.interface_addresses < 2
    }
    assert unknown == set()
