"""Helm, which renders charts."""

from __future__ import annotations

from tests.binaries.go_module import GoModule

HELM_VERSION = "3.20.2"

HELM = GoModule(
    name="helm",
    linker_flags=f"-s -w -X helm.sh/helm/v3/internal/version.version=v{HELM_VERSION}",
    programs={"helm": "helm.sh/helm/v3/cmd/helm"},
)
