"""Where Argo CD finds this repository, and where it applies it."""

from pydantic import Field

from charts_py.spec.strict_model import StrictModel

IN_CLUSTER = "https://kubernetes.default.svc"
"""The API server of the cluster that Argo CD itself runs in."""


class GitOps(StrictModel):
    """Where Argo CD finds this repository, and where it applies it."""

    repository: str = Field(pattern=r"^(https://|ssh://|git@|file:///)\S+$")
    """URL of this git repository."""
    revision: str = Field(default="main", min_length=1)
    """Branch, tag or commit that Argo CD follows."""
    argocd_namespace: str = Field(default="argocd", pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$")
    """Namespace of Argo CD."""
    server: str = Field(default=IN_CLUSTER, pattern=r"^https://\S+$")
    """API server that this cluster's objects are applied to; another than the default where one
    Argo CD serves several clusters."""
