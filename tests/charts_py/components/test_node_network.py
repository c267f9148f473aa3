"""Which alerts on the network of nodes a platform has."""

import pytest

from charts_py.components.gpu_usage.facts import platform_facts
from charts_py.components.node_network import NODE_NETWORK
from tests.charts_py.fixture_types import PlatformWith

LINKS = ["GpuplaneInfinibandLinkDown", "GpuplaneInfinibandDown", "GpuplaneInfinibandLinkFlaps"]


@pytest.mark.parametrize(
    ("cluster", "names"),
    [
        ("eks", ["GpuplaneNodeLacksNetwork"]),
        ("topograph", ["GpuplaneNodeLacksNetwork", *LINKS]),
        # Its pools name no resource that a device plugin offers.
        ("nvl72", LINKS),
        ("gke", []),
    ],
)
def test_alerts_are_on_what_the_pools_talk_over(
    cluster: str, names: list[str], platform_after: PlatformWith
) -> None:
    groups = NODE_NETWORK.rules.groups(platform_after(cluster))
    assert [alert.name for group in groups for alert in group.alerts] == names


def test_a_node_is_to_offer_what_a_pod_asks_for_that_takes_it_whole(
    platform_after: PlatformWith,
) -> None:
    rules = platform_facts(platform_after("eks"))
    found = [each for each in rules if each.record == "gpuplane_pool_network_interfaces"]
    assert [(each.expression, dict(each.labels)) for each in found] == [
        ("vector(4)", {"pool": "a100-mig", "resource": "vpc_amazonaws_com_efa"}),
        ("vector(1)", {"pool": "a10g", "resource": "vpc_amazonaws_com_efa"}),
        ("vector(32)", {"pool": "h100", "resource": "vpc_amazonaws_com_efa"}),
    ]
