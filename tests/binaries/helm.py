"""Helm, which renders charts."""

from __future__ import annotations

from tests.binaries.pinned_program import PinnedProgram

HELM_VERSION = "3.20.2"

HELM = PinnedProgram(
    "helm",
    "helm.sh/helm/v3/cmd/helm",
    (f"helm.sh/helm/v3/internal/version.version=v{HELM_VERSION}",),
)
