"""Releases of the machine image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.providers.eks.node_image import NEWEST_RELEASES
from upstream.kubernetes_version import KubernetesVersion

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


def test_a_kubernetes_version_without_a_known_release_needs_one(
    monkeypatch: pytest.MonkeyPatch,
    sample: Callable[..., str],
    faults_of: Callable[..., str],
) -> None:
    monkeypatch.delitem(NEWEST_RELEASES, KubernetesVersion.V1_35)
    assert faults_of(sample("eks")) == (
        "sample.yaml:8: eks.imageRelease: missing; no release of Amazon Linux for Kubernetes 1.35 "
        r"is known; allowed: ^1\.35\.[0-9]+-20[0-9]{6}$"
    )
