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
            "    maxPods: 250\n",
            "",
            (
                "sample.yaml:11: pools.h200.maxPods: a node offers 224 allocations and holds "
                "110 pods; allowed: 224 to 256, with room for the system's pods"
            ),
        ),
        (
            "onprem",
            "maxPods: 250",
            "maxPods: 223",
            (
                "sample.yaml:18: pools.h200.maxPods: a node offers 224 allocations and holds "
                "223 pods; allowed: 224 to 256, with room for the system's pods"
            ),
        ),
        (
            "gke",
            "{timeSlicing: 4}",
            "{timeSlicing: 28}",
            (
                "sample.yaml:18: pools.l4.maxPods: a node offers 112 allocations and holds 110 "
                "pods; allowed: 112 to 256, with room for the system's pods"
            ),
        ),
    ],
)
def test_a_node_holds_a_pod_for_each_allocation(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "onprem",
            "timeSlicing: 4",
            "timeSlicing: 5",
            (
                "sample.yaml:19: pools.h200.sharing: a node offers 280 allocations, and no node "
                "here can hold as many pods; allowed: at most 256 allocations on a node"
            ),
        ),
        (
            "onprem",
            "maxPods: 250",
            "maxPods: 300",
            (
                "sample.yaml:18: pools.h200.maxPods: 300 is out of bounds; allowed: a whole "
                "number, at least 8, at most 256"
            ),
        ),
        (
            "onprem",
            "maxPods: 250",
            "maxPods: 7",
            (
                "sample.yaml:18: pools.h200.maxPods: 7 is out of bounds; allowed: a whole "
                "number, at least 8, at most 256"
            ),
        ),
        (
            "aks",
            "    zones:",
            "    maxPods: 255\n    zones:",
            (
                "sample.yaml:16: pools.a100mig.maxPods: 255 pods on a node of aks; allowed: at "
                "most 250"
            ),
        ),
    ],
)
def test_no_node_holds_more_pods_than_the_provider_allows(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
