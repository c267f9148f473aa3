"""Addresses for the pods of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from gpus.catalog import load_catalog
from gpus.provider import Provider

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

CLUSTER_NAME = "clusterName: training"
MACHINES = load_catalog().instance_types[Provider.EKS]


def max_pods(
    name: str,
    sample: Callable[..., str],
    platform_of: Callable[[str], Platform],
    *changes: tuple[str, str],
) -> int:
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
    sample: Callable[..., str],
    platform_of: Callable[[str], Platform],
    name: str,
    settings: str,
    interconnect: str,
    expected: int,
) -> None:
    network = ("zones: [", f"interconnect: {interconnect}\n    zones: [")
    changed = (f"{CLUSTER_NAME}\n", f"{CLUSTER_NAME}\n{settings}")
    assert max_pods(name, sample, platform_of, network, changed) == expected


@pytest.mark.parametrize(
    ("instance_type", "pods"),
    # https://github.com/aws/amazon-vpc-cni-k8s/blob/v1.23.0/misc/eni-max-pods.txt
    [
        ("g4dn.xlarge", 29),
        ("p3.2xlarge", 58),
        ("p5.48xlarge", 100),
        ("p5.4xlarge", 118),
        ("p6-b300.48xlarge", 198),
        ("g7e.2xlarge", 254),
        ("g5.48xlarge", 345),
        ("g6e.48xlarge", 492),
        ("p4d.24xlarge", 737),
    ],
)
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
