"""The programs of a control plane: built from pinned sources, or found on this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tests.binaries.machine import require_debian_packages
from tests.binaries.pinned_module import MODULE, BuildError
from tests.binaries.pinned_program import PinnedProgram

KUBERNETES_VERSION = MODULE.version("k8s.io/kubernetes")

_VERSION_PACKAGE = "k8s.io/component-base/version"
_MAJOR, _MINOR, _ = KUBERNETES_VERSION.split(".")

ETCD = PinnedProgram("etcd", "go.etcd.io/etcd/server/v3")
KUBE_APISERVER, KUBE_CONTROLLER_MANAGER, KUBE_SCHEDULER = (
    PinnedProgram(
        name,
        f"k8s.io/kubernetes/cmd/{name}",
        (
            f"{_VERSION_PACKAGE}.gitVersion=v{KUBERNETES_VERSION}",
            f"{_VERSION_PACKAGE}.gitMajor={_MAJOR}",
            f"{_VERSION_PACKAGE}.gitMinor={_MINOR}",
        ),
    )
    for name in ("kube-apiserver", "kube-controller-manager", "kube-scheduler")
)

ASSETS_VARIABLE = "KUBEBUILDER_ASSETS"
"""Environment variable of a folder that holds etcd and kube-apiserver
(https://book.kubebuilder.io/reference/envtest)."""


@dataclass(frozen=True, slots=True)
class ControlPlaneBinaries:
    """The programs of a control plane."""

    etcd: Path
    kube_apiserver: Path
    kube_controller_manager: Path
    kube_scheduler: Path


def build_control_plane() -> ControlPlaneBinaries:
    """Return the programs of a control plane, built where they are missing; raise BuildError."""
    require_debian_packages()
    return ControlPlaneBinaries(
        etcd=_given(ETCD) or ETCD.build(),
        kube_apiserver=_given(KUBE_APISERVER) or KUBE_APISERVER.build(),
        kube_controller_manager=KUBE_CONTROLLER_MANAGER.build(),
        kube_scheduler=KUBE_SCHEDULER.build(),
    )


def _given(program: PinnedProgram) -> Path | None:
    """Return a program of the folder that the environment names; raise BuildError for none."""
    folder = os.environ.get(ASSETS_VARIABLE)
    if not folder:
        return None
    if not (given := Path(folder) / program.name).is_file():
        raise BuildError(f"{ASSETS_VARIABLE}={folder} holds no {program.name}")
    return given
