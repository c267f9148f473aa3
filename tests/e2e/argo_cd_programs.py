"""The programs of Argo CD, and what they run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.e2e.component_binaries import build_argo_cd, find_redis_server
from tests.e2e.go_module import GoModule

HELM_VERSION = "3.20.2"

HELM = GoModule(
    name="helm",
    linker_flags=f"-s -w -X helm.sh/helm/v3/internal/version.version=v{HELM_VERSION}",
    programs={"helm": "helm.sh/helm/v3/cmd/helm"},
)


@dataclass(frozen=True, slots=True)
class ArgoCdPrograms:
    """What an Argo CD is made of."""

    argocd: Path
    """Each component; which one, its environment says."""
    helm: Path
    redis_server: Path


def build_argo_cd_programs() -> ArgoCdPrograms:
    """Return the programs, built where they are missing; raise BuildError."""
    return ArgoCdPrograms(build_argo_cd(), HELM.build("helm"), find_redis_server())
