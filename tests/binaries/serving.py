"""Argo Rollouts, as its project releases it."""

from pathlib import Path

from tests.binaries.pinned_module import MODULE_ROLLOUTS
from tests.binaries.pinned_program import PinnedProgram

_ROLLOUTS_MODULE = "github.com/argoproj/argo-rollouts"

ROLLOUTS_VERSION = MODULE_ROLLOUTS.version(_ROLLOUTS_MODULE)

ROLLOUTS = PinnedProgram(
    "rollouts-controller", f"{_ROLLOUTS_MODULE}/cmd/rollouts-controller", module=MODULE_ROLLOUTS
)


def rollouts_crds() -> tuple[Path, ...]:
    """Return the definitions of its kinds, which come with its source; raise BuildError."""
    folder = MODULE_ROLLOUTS.source(_ROLLOUTS_MODULE) / "manifests" / "crds"
    return tuple(sorted(folder.glob("*-crd.yaml")))
