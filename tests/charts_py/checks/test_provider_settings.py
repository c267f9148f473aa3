from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "eks:\n  clusterName: training\n  nodeRole: training-gpu-nodes\n",
            "",
            (
                "sample.yaml:1: eks: missing; the provider is eks; allowed: a mapping with "
                "clusterName, nodeRole"
            ),
        ),
    ],
)
def test_a_cluster_has_the_settings_of_its_provider(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "policies:\n",
            ("gke: {project: example-inference, clusterName: a, location: us-east1}\npolicies:\n"),
            "sample.yaml:64: gke: settings of gke; the provider is eks; allowed: eks",
        ),
        (
            "onprem",
            "pools:\n",
            "eks: {clusterName: a, nodeRole: b}\npools:\n",
            (
                "sample.yaml:10: eks: settings of eks; the provider is onprem; allowed: no "
                "settings of a cloud"
            ),
        ),
    ],
)
def test_a_cluster_has_no_settings_of_another_provider(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
