"""Where Argo CD finds this repository, and where it applies it."""

from pydantic import Field

from charts_py.spec.strict_model import StrictModel
from charts_py.spec.text_forms import NamespaceName

IN_CLUSTER = "https://kubernetes.default.svc"
"""The API server of the cluster that Argo CD itself runs in."""

_REPOSITORY = "https://github.com/example/gpu-platform.git"


class GitOps(StrictModel):
    """Where Argo CD finds this repository, and where it applies it."""

    repository: str = Field(pattern=r"^(https://|ssh://|git@|file:///)\S+$", examples=[_REPOSITORY])
    """URL of this git repository."""
    revision: str = Field(default="main", min_length=1)
    """Branch, tag or commit that Argo CD follows."""
    argocd_namespace: NamespaceName = "argocd"
    """Namespace of Argo CD."""
    server: str = Field(default=IN_CLUSTER, pattern=r"^https://\S+$", examples=[IN_CLUSTER])
    """API server that this cluster's objects are applied to; to be set where one Argo CD serves
    several clusters."""
