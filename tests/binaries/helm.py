"""Helm, which renders charts."""

from __future__ import annotations

from tests.binaries.pinned_module import MODULE
from tests.binaries.pinned_program import PinnedProgram

HELM_VERSION = MODULE.version("helm.sh/helm/v4")

HELM = PinnedProgram(
    "helm",
    "helm.sh/helm/v4/cmd/helm",
    (f"helm.sh/helm/v4/internal/version.version=v{HELM_VERSION}",),
)
