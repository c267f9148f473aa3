from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "gke",
            "location: europe-west4\n",
            "location: europe-west4\n  provisioner: compute-class\n",
            (
                "sample.yaml:17: pools.a100.sharing: Kubernetes 1.34 has no sharing of GPUs in "
                "a ComputeClass; allowed: from 1.35\n"
                "sample.yaml:23: pools.l4.sharing: Kubernetes 1.34 has no sharing of GPUs in a "
                "ComputeClass; allowed: from 1.35"
            ),
        ),
    ],
)
def test_sharing_in_a_compute_class_needs_the_version_that_brought_it(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


def test_resource_claims_need_the_version_that_brought_them(
    faults_after: Callable[..., str],
) -> None:
    quota = ("storage: 20Ti", "storage: 20Ti\n          resourceClaims: 4")
    assert faults_after("eks", ('"1.35"', '"1.33"'), quota) == (
        "sample.yaml:49: teams.research.namespaces.research.quota.resourceClaims: "
        "Kubernetes 1.33 has no resource claims (resource.k8s.io/v1); allowed: from 1.34"
    )
