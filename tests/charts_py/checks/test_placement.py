from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "onprem",
            "    nodes: {max: 1}\n",
            "    nodes: {max: 1}\n    purchase: spot\n",
            (
                'sample.yaml:38: pools.mi300x.purchase: "spot" is not to be had on onprem; '
                "allowed: on-demand, reserved"
            ),
        ),
    ],
)
def test_nodes_are_bought_as_the_provider_sells_them(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "us-east-1a",
            "eu-west-1a",
            (
                'sample.yaml:18: pools.h100.zones[0]: "eu-west-1a" is no zone of us-east-1; '
                "allowed: ^us-east-1[a-z]$"
            ),
        ),
        (
            "aks",
            '["1"]',
            '["4"]',
            (
                'sample.yaml:16: pools.a100mig.zones[0]: "4" is no zone of westeurope; allowed: '
                "^[123]$"
            ),
        ),
        (
            "gke",
            "sharing: {timeSlicing: 4}",
            "zones: [europe-west4]\n    sharing: {timeSlicing: 4}",
            (
                'sample.yaml:22: pools.l4.zones[0]: "europe-west4" is no zone of europe-west4; '
                "allowed: ^europe-west4-[a-z]$"
            ),
        ),
    ],
)
def test_a_zone_is_of_the_region(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "zones: [us-east-1a]",
            "interconnect: infiniband",
            (
                'sample.yaml:18: pools.h100.interconnect: p5.48xlarge has no "infiniband"; '
                "allowed: ethernet, efa"
            ),
        ),
        (
            "gke",
            "sharing: {timeSlicing: 4}",
            "sharing: {timeSlicing: 4}\n    interconnect: roce",
            (
                'sample.yaml:23: pools.l4.interconnect: g2-standard-48 has no "roce"; allowed: '
                "ethernet"
            ),
        ),
        (
            "onprem",
            "    nodes: {max: 1}\n",
            "    nodes: {max: 1}\n    interconnect: efa\n",
            (
                'sample.yaml:38: pools.mi300x.interconnect: onprem has no "efa"; allowed: '
                "ethernet, roce, infiniband"
            ),
        ),
    ],
)
def test_an_interconnect_is_one_that_the_machine_has(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "zones: [us-east-1a]",
            "match: {hostnames: [^train]}",
            (
                "sample.yaml:18: pools.h100.match: eks makes the nodes of the pool itself; "
                "allowed: no match"
            ),
        ),
    ],
)
def test_machines_are_matched_only_where_the_provider_makes_none(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
