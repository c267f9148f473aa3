"""What a cluster has before its first sync, and what that waits for."""

from pathlib import Path

from charts_py.argocd.application import NAME as APPLICATIONS
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e.argo_cd.applications import PATIENCE_SECONDS, application
from tests.e2e.argo_cd.pod_metrics import pod_metrics_definition
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.control_plane.namespaces import make_foreign_namespaces
from tests.e2e.releases import crds
from tests.e2e.releases.objects import read_release
from upstream.fetch import Mirror

_BROUGHT_BY_CHARTS = ("NodeFeatureRule", "NodeReadinessRule")


def prepare(admin: ApiClient, platform: Platform, dist: Path, mirror: Mirror) -> None:
    """Bring what a cluster has of others: the kinds of their operators, and their namespaces."""
    versions = [each for each in (dist / platform.name).iterdir() if each.is_dir()]
    # Of all versions, since it goes from one to another.
    objects = [each for version in versions for each in _objects(version)]
    kinds = [each for each in objects if each["kind"] not in _BROUGHT_BY_CHARTS]
    crds.install(admin, [*crds.definitions_of(kinds, mirror), pod_metrics_definition()])
    make_foreign_namespaces(admin, objects)


def _objects(release: Path) -> list[Document]:
    components = {each.name for each in release.iterdir() if each.is_dir()} - {APPLICATIONS}
    return read_release(release, *sorted(components))


def wait_until_held(argo_cd: ApiClient, cluster: str) -> str:
    """Return what Argo CD says once it waits for an operator, whose pods run nowhere."""
    live = argo_cd.wait_for(application(f"{cluster}-live"), _is_held, PATIENCE_SECONDS)
    message: str = live["status"]["operationState"]["message"]
    return message


def _is_held(document: Document) -> bool:
    message: str = document.get("status", {}).get("operationState", {}).get("message", "")
    operators = [word for word in message.split() if word.endswith("operator")]
    return message.startswith("waiting for healthy state") and bool(operators)
