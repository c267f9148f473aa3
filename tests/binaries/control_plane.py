"""The programs of a control plane: built from pinned sources, or found on this machine."""

import os
from dataclasses import dataclass
from pathlib import Path

from tests.binaries.machine import require_debian_packages
from tests.binaries.pinned_module import MODULE, MODULE_OLDEST, BuildError, PinnedModule
from tests.binaries.pinned_program import PinnedProgram

_VERSION_PACKAGE = "k8s.io/component-base/version"

ETCD = PinnedProgram("etcd", "go.etcd.io/etcd/server/v3")


@dataclass(frozen=True, slots=True)
class PinnedKubernetes:
    module: PinnedModule

    @property
    def version(self) -> str:
        """The version, as `1.37.1`."""
        return self.module.version("k8s.io/kubernetes")

    def program(self, name: str) -> PinnedProgram:
        """Return a component, which tells the version as that of a release does."""
        major, minor, _ = self.version.split(".")
        told = {"gitVersion": f"v{self.version}", "gitMajor": major, "gitMinor": minor}
        variables = tuple(f"{_VERSION_PACKAGE}.{key}={value}" for key, value in told.items())
        return PinnedProgram(name, f"k8s.io/kubernetes/cmd/{name}", variables, self.module)


NEWEST = PinnedKubernetes(MODULE)
OLDEST = PinnedKubernetes(MODULE_OLDEST)
"""Of the versions that the platform supports."""

ASSETS_VARIABLE = "KUBEBUILDER_ASSETS"
"""Environment variable of a folder that holds etcd and kube-apiserver
(https://book.kubebuilder.io/reference/envtest)."""


@dataclass(frozen=True, slots=True)
class ControlPlaneBinaries:
    etcd: Path
    kube_apiserver: Path
    kube_controller_manager: Path
    kube_scheduler: Path


def build_control_plane(kubernetes: PinnedKubernetes = NEWEST) -> ControlPlaneBinaries:
    """Return the programs of a control plane, built where they are missing; raise BuildError."""
    require_debian_packages()
    api_server = kubernetes.program("kube-apiserver")
    return ControlPlaneBinaries(
        etcd=_given(ETCD) or ETCD.build(),
        kube_apiserver=(_given(api_server) if kubernetes == NEWEST else None) or api_server.build(),
        kube_controller_manager=kubernetes.program("kube-controller-manager").build(),
        kube_scheduler=kubernetes.program("kube-scheduler").build(),
    )


def _given(program: PinnedProgram) -> Path | None:
    """Return a program of the folder that the environment names; raise BuildError for none."""
    folder = os.environ.get(ASSETS_VARIABLE)
    if not folder:
        return None
    if not (given := Path(folder) / program.name).is_file():
        raise BuildError(f"{ASSETS_VARIABLE}={folder} holds no {program.name}")
    return given
