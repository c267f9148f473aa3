"""Karpenter with a cloud whose machines are objects alone, and KWOK, which plays kubelets."""

from dataclasses import dataclass
from pathlib import Path

from tests.binaries.pinned_module import MODULE_MORE
from tests.binaries.pinned_program import PinnedProgram

_KARPENTER_MODULE = "sigs.k8s.io/karpenter"
_KWOK_MODULE = "sigs.k8s.io/kwok"

KARPENTER_VERSION = MODULE_MORE.version(_KARPENTER_MODULE)
KWOK_VERSION = MODULE_MORE.version(_KWOK_MODULE)

KARPENTER = PinnedProgram(
    "karpenter",
    f"{_KARPENTER_MODULE}/kwok",
    (f"{_KARPENTER_MODULE}/pkg/operator.Version={KARPENTER_VERSION}",),
    MODULE_MORE,
)
KWOK = PinnedProgram("kwok", f"{_KWOK_MODULE}/cmd/kwok", module=MODULE_MORE)


@dataclass(frozen=True, slots=True)
class NodeProvisioning:
    """What makes nodes and plays their kubelets, with the files that come with it."""

    karpenter: Path
    karpenter_crds: tuple[Path, ...]
    """The CustomResourceDefinitions of Karpenter and of its cloud."""
    kwok: Path
    kwok_stages: tuple[Path, ...]
    """What a kubelet reports at once of its node, and of pods that start and end."""


def build_node_provisioning() -> NodeProvisioning:
    """Return the programs, built where they are missing; raise BuildError."""
    karpenter = MODULE_MORE.source(_KARPENTER_MODULE)
    crds = (karpenter / folder for folder in ("pkg/apis/crds", "kwok/apis/crds"))
    stages = MODULE_MORE.source(_KWOK_MODULE) / "kustomize" / "stage"
    return NodeProvisioning(
        karpenter=KARPENTER.build(),
        karpenter_crds=tuple(file for folder in crds for file in sorted(folder.glob("*.yaml"))),
        kwok=KWOK.build(),
        kwok_stages=(
            stages / "node" / "fast" / "node-initialize.yaml",
            stages / "pod" / "fast" / "pod-ready.yaml",
            stages / "pod" / "fast" / "pod-delete.yaml",
        ),
    )
