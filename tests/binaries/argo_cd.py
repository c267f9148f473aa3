"""The programs of Argo CD, and what they run."""

from dataclasses import dataclass
from pathlib import Path

from tests.binaries.machine import find_redis_server, require_debian_packages
from tests.binaries.pinned_module import MODULE_ARGO_CD
from tests.binaries.pinned_program import HELM, PinnedProgram

ARGO_CD_VERSION = MODULE_ARGO_CD.version("github.com/argoproj/argo-cd/v3")

ARGO_CD = PinnedProgram(
    "argocd",
    "github.com/argoproj/argo-cd/v3/cmd",
    (f"github.com/argoproj/argo-cd/v3/common.version={ARGO_CD_VERSION}",),
    MODULE_ARGO_CD,
)


@dataclass(frozen=True, slots=True)
class ArgoCdBinaries:
    """What an Argo CD is made of."""

    argocd: Path
    """Each component; which one, its environment says."""
    helm: Path
    redis_server: Path


def build_argo_cd() -> ArgoCdBinaries:
    """Return the programs, built where they are missing; raise BuildError."""
    require_debian_packages()
    return ArgoCdBinaries(ARGO_CD.build(), HELM.build(), find_redis_server())
