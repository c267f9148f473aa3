"""Where Argo CD finds this repository, and where it applies it."""

from enum import StrEnum
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, Field, TypeAdapter, ValidationError

from charts_py.cluster_file.bounds import Refused
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import NamespaceName

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
    """Return whether a path has the format of `gitops.path`."""
    try:
        TypeAdapter(FolderInRepository).validate_python(path)
    except ValidationError:
        return False
    return True


class ChartForm(StrEnum):
    """The form in which Argo CD gets a Helm chart."""

    APPLICATION = "application"
    RENDERED = "rendered"


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
    charts: ChartForm = ChartForm.APPLICATION
    """Where Helm charts become objects: in Argo CD, by an `application` with the chart and its
    values; or in `gpuplane synth`, `rendered` by Helm 4 into `dist/`, from which Argo CD syncs
    them like all else. Images have their mirrors either way; `charts.mirror` is for the former."""

    def folder(self, below: str) -> str:
        """Return a folder of the platform as Argo CD names it, from the root of the repository."""
        return str(PurePosixPath(self.path, below))
