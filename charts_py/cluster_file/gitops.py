"""Where Argo CD finds this repository and charts, where it applies them, and where images are."""

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from charts_py.cluster_file.strict_model import Refused, StrictModel, Unique, added_later
from charts_py.cluster_file.text_forms import NamespaceName, ObjectName

_LABEL = "[a-z0-9]([a-z0-9-]*[a-z0-9])?"
_PORT = ":[0-9]+"
REGISTRY = rf"({_LABEL}(\.{_LABEL})*|\[[A-Fa-f0-9:]+\])({_PORT})?"
PART = "[a-z0-9]+(([._]|__|-+)[a-z0-9]+)*"
TAG = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
DIGEST = "sha256:[0-9a-f]{64}"
IMAGE = rf"^{REGISTRY}/{PART}(/{PART})*(:{TAG}(@{DIGEST})?|@{DIGEST})$"
"""An image with its registry, and a tag or a digest."""
HOST = rf"({_LABEL}(\.{_LABEL})+({_PORT})?|{_LABEL}{_PORT}|\[[A-Fa-f0-9:]+\]({_PORT})?|localhost)"
"""A registry in front of a path; without a dot or a port it would be a folder of Docker Hub
(`splitDockerDomain` in https://github.com/distribution/reference/blob/v0.6.0/normalize.go)."""
_EXAMPLE = "registry.example.com/nvcr"


def _place(text: str) -> str:
    _, scheme, bare = text.partition("://")
    if scheme:
        raise Refused(f'"{text}" has a scheme', bare.rstrip("/") or _EXAMPLE)
    if text.endswith("/"):
        raise Refused(f'"{text}" ends in a slash', text.rstrip("/"))
    if not re.fullmatch(rf"{HOST}(/{PART})*", text):
        allowed = f"a registry and a folder in it, such as {_EXAMPLE}"
        raise Refused(f'"{text}" has the wrong format', allowed)
    return text


PlaceInRegistry = Annotated[str, AfterValidator(_place), Field(examples=[_EXAMPLE])]
"""A registry, and a folder in it if any."""
DOCKER_HUB = "docker.io"
DOCKER_HUB_SERVERS = ("index.docker.io", "registry-1.docker.io", "registry.hub.docker.com")
"""Other names of it, which names of images have not
(`splitDockerDomain` in https://github.com/distribution/reference/blob/v0.6.0/normalize.go)."""


class Registry(StrictModel):
    """What takes the place of a registry."""

    mirror: PlaceInRegistry
    """Place of its images: `nvcr.io/nvidia/driver` is `registry.example.com/nvcr/nvidia/driver`
    where the mirror of `nvcr.io` is `registry.example.com/nvcr`. Each registry has a place of its
    own."""
    pull_secrets: Annotated[tuple[ObjectName, ...], Unique()] = ()
    """Secrets by which the mirror lets pods pull, besides those of `imagePullSecrets`, and like
    them."""


_OCI = "oci://"
_EXAMPLES = ("https://charts.example.com/gpu", "oci://registry.example.com/charts")


def _repository(text: str) -> str:
    scheme, _, place = text.rpartition("://")
    if scheme not in ("https", "oci"):
        allowed = " or ".join(f"{each}://{place}" for each in ("https", "oci"))
        what = f"the scheme {scheme}" if scheme else "no scheme"
        raise Refused(f'"{text}" has {what}', allowed)
    if text.endswith("/"):
        raise Refused(f'"{text}" ends in a slash', text.rstrip("/"))
    path = PART if scheme == "oci" else "[A-Za-z0-9._~-]+"
    if not re.fullmatch(rf"{REGISTRY}(/{path})*", place):
        raise Refused(f'"{text}" has the wrong format', f"one such as {' or '.join(_EXAMPLES)}")
    return text


ChartRepository = Annotated[str, AfterValidator(_repository), Field(examples=list(_EXAMPLES))]
"""A Helm repository, or the folder of an OCI registry."""


ChartVersion = Annotated[
    str, Field(pattern=r"^v?(0|[1-9]\d*)\.\d+\.\d+(-[0-9A-Za-z.-]+)?$", examples=["v26.7.1"])
]


class Charts(StrictModel):
    """Which versions of the platform's Helm charts Argo CD installs, and from where."""

    mirror: ChartRepository | None = None
    """Repository that has every chart under its own name and pinned version, be it a Helm
    repository, `https://`, or a folder of an OCI registry, `oci://`. By default each chart comes
    from where its project publishes it."""
    versions: Mapping[str, ChartVersion] = added_later({})
    """Versions in place of those that this version of gpuplane was tested with, by the name of the
    chart, such as for a fix that cannot wait. Its values and definitions stay those of the tested
    version. `gpuplane bump` writes it."""

    @property
    def repository(self) -> str | None:
        """The mirror as an Application names it: an OCI registry without its scheme.

        https://argo-cd.readthedocs.io/en/stable/user-guide/helm/#declarative
        """
        return None if self.mirror is None else self.mirror.removeprefix(_OCI)


IN_CLUSTER = "https://kubernetes.default.svc"
"""The API server of the cluster that Argo CD itself runs in."""
ARGOCD_NAMESPACE = "argocd"
"""Namespace of Argo CD where none is named."""
ROOT = "."
"""The root of a repository, as a folder of it."""
_REPOSITORY = "https://github.com/example/gpu-platform.git"


def _without_credentials(url: str) -> str:
    """Refuse a URL with a password or token, which `dist/` would hold for all to read.

    `git@` names no secret; the user of an HTTPS URL may be one.
    """
    scheme, _, rest = url.partition("://")
    user, at, _ = rest.partition("/")[0].rpartition("@")
    if at and (scheme == "https" or ":" in user):
        allowed = "a URL without it; Argo CD reads it from a Secret of its own"
        raise Refused("the URL holds a password or token", allowed)
    return url


Url = Annotated[str, AfterValidator(_without_credentials)]
FolderInRepository = Annotated[
    str, Field(pattern=r"^(\.|\.?[\w-][\w.-]*(/\.?[\w-][\w.-]*)*)$", examples=["platform/gpus"])
]
"""Relative, with neither `..` nor a slash at its end."""


def is_folder_in_repository(path: str) -> bool:
    try:
        TypeAdapter(FolderInRepository).validate_python(path)
    except ValidationError:
        return False
    return True


class ChartForm(StrEnum):
    """The form in which Argo CD gets a Helm chart."""

    APPLICATION = "application"
    RENDERED = "rendered"


class ArgoCdConfig(StrEnum):
    """Who applies the health checks that sync waves need to Argo CD's ConfigMap `argocd-cm`."""

    SYNCED = "synced"
    BOOTSTRAP = "bootstrap"


class GitOps(StrictModel):
    """Where Argo CD finds this repository, and where it applies it."""

    repository: Url = Field(pattern=r"^(https://|ssh://|git@|file:///)\S+$", examples=[_REPOSITORY])
    """URL of this git repository."""
    revision: str = Field(default="main", min_length=1)
    """Branch, tag or commit that Argo CD follows."""
    path: FolderInRepository = ROOT
    """Folder of that repository in which `clusters/` and `dist/` stand, `.` for its root."""
    argocd_namespace: NamespaceName = ARGOCD_NAMESPACE
    """Namespace of Argo CD."""
    server: Url = Field(default=IN_CLUSTER, pattern=r"^https://\S+$", examples=[IN_CLUSTER])
    """API server that this cluster's objects are applied to; to be set where one Argo CD serves
    several clusters."""
    argocd_config: ArgoCdConfig = added_later(ArgoCdConfig.SYNCED)
    """Who puts two health checks into the ConfigMap `argocd-cm`, without which no sync wave waits
    for the one before: Argo CD itself, `synced` with the platform, or whoever owns that ConfigMap,
    such as a Helm release, from a file that is rendered for that alone, `bootstrap`."""
    charts: ChartForm = ChartForm.APPLICATION
    """Where Helm charts become objects: in Argo CD, by an `application` with the chart and its
    values; or in `gpuplane synth`, `rendered` by Helm 4 into `dist/`, from which Argo CD syncs
    them like all else. Images have their mirrors either way; `charts.mirror` is for the former."""

    def folder(self, below: str) -> str:
        """Return a folder of the platform as Argo CD names it, from the root of the repository."""
        return str(PurePosixPath(self.path, below))


def is_registry(name: str) -> bool:
    """Return whether names of images can begin with it."""
    return re.fullmatch(HOST, name) is not None and name not in DOCKER_HUB_SERVERS
