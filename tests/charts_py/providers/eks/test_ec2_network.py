"""Network interfaces with Elastic Fabric Adapters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.providers.eks.ec2_network import network_interfaces
from gpus.catalog import load_catalog
from gpus.interconnect import Interconnect
from gpus.provider import Provider

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]

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
