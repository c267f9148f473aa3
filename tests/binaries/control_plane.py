"""The programs of a control plane: built from pinned sources, or found on this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from tests.binaries.go_module import BuildError, GoModule
from tests.binaries.machine import require_debian_packages

KUBERNETES_VERSION = "1.36.3"

_VERSION_PACKAGE = "k8s.io/component-base/version"
_MAJOR, _MINOR, _ = KUBERNETES_VERSION.split(".")

KUBERNETES = GoModule(
    name="kubernetes",
    linker_flags=(
        f"-s -w -X {_VERSION_PACKAGE}.gitVersion=v{KUBERNETES_VERSION}"
        f" -X {_VERSION_PACKAGE}.gitMajor={_MAJOR} -X {_VERSION_PACKAGE}.gitMinor={_MINOR}"
    ),
    programs={
        "etcd": "go.etcd.io/etcd/server/v3",
        "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
        "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
        "kube-scheduler": "k8s.io/kubernetes/cmd/kube-scheduler",
    },
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
        etcd=_given("etcd") or KUBERNETES.build("etcd"),
        kube_apiserver=_given("kube-apiserver") or KUBERNETES.build("kube-apiserver"),
        kube_controller_manager=KUBERNETES.build("kube-controller-manager"),
        kube_scheduler=KUBERNETES.build("kube-scheduler"),
    )


def _given(program: str) -> Path | None:
    """Return a program of the folder that the environment names; raise BuildError for none."""
    folder = os.environ.get(ASSETS_VARIABLE)
    if not folder:
        return None
    if not (given := Path(folder) / program).is_file():
        raise BuildError(f"{ASSETS_VARIABLE}={folder} holds no {program}")
    return given
