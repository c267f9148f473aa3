"""Sharing of GPUs in a ComputeClass."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def test_sharing_in_a_compute_class_needs_the_version_that_brought_it(
    faults_after: Callable[..., str],
) -> None:
    compute_class = (
        "location: europe-west4\n",
        "location: europe-west4\n  provisioner: compute-class\n",
    )
    assert faults_after("gke", compute_class) == (
        "sample.yaml:17: pools.a100.sharing: Kubernetes 1.34 has no sharing of GPUs in "
        "a ComputeClass; allowed: from 1.35\n"
        "sample.yaml:23: pools.l4.sharing: Kubernetes 1.34 has no sharing of GPUs in a "
        "ComputeClass; allowed: from 1.35"
    )
