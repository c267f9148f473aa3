"""Argo Rollouts and KEDA, as their projects release them."""

from pathlib import Path

from tests.binaries.pinned_module import MODULE_KEDA, MODULE_ROLLOUTS
from tests.binaries.pinned_program import PinnedProgram

_ROLLOUTS_MODULE = "github.com/argoproj/argo-rollouts"
_KEDA_MODULE = "github.com/kedacore/keda/v2"

ROLLOUTS_VERSION = MODULE_ROLLOUTS.version(_ROLLOUTS_MODULE)
KEDA_VERSION = MODULE_KEDA.version(_KEDA_MODULE)

ROLLOUTS = PinnedProgram(
    "rollouts-controller", f"{_ROLLOUTS_MODULE}/cmd/rollouts-controller", module=MODULE_ROLLOUTS
)
KEDA_OPERATOR = PinnedProgram("keda-operator", f"{_KEDA_MODULE}/cmd/operator", module=MODULE_KEDA)
KEDA_ADAPTER = PinnedProgram("keda-adapter", f"{_KEDA_MODULE}/cmd/adapter", module=MODULE_KEDA)


def rollouts_crds() -> tuple[Path, ...]:
    """Return the definitions of its kinds, which come with its source; raise BuildError."""
    folder = MODULE_ROLLOUTS.source(_ROLLOUTS_MODULE) / "manifests" / "crds"
    return tuple(sorted(folder.glob("*-crd.yaml")))


def keda_crds() -> tuple[Path, ...]:
    """Return the definitions of its kinds, likewise."""
    folder = MODULE_KEDA.source(_KEDA_MODULE) / "config" / "crd" / "bases"
    return tuple(sorted(folder.glob("*.yaml")))
