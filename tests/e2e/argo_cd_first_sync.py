"""What a cluster has before its first sync, and what that waits for."""

from __future__ import annotations

from collections.abc import Iterable

from charts_py.argocd.applications import NAME as APPLICATIONS
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from tests.e2e import crds
from tests.e2e.api_client import ApiClient
from tests.e2e.argo_cd_applications import PATIENCE_SECONDS, application
from tests.e2e.argo_cd_reports import metrics_kinds
from tests.e2e.conftest import REPOSITORY
from tests.e2e.namespaces import make_namespace
from tests.e2e.release_objects import read_release
from upstream.fetch import Mirror

_BROUGHT_BY_CHARTS = ("NodeFeatureRule",)


def prepare(admin: ApiClient, platform: Platform, mirror: Mirror) -> None:
    """Bring what a cluster has of others: the kinds of their operators, and their namespaces."""
    release = REPOSITORY / "dist" / platform.name / platform.live
    components = {each.name for each in release.iterdir() if each.is_dir()} - {APPLICATIONS}
    objects = read_release(release, *sorted(components))
    kinds = [each for each in objects if each["kind"] not in _BROUGHT_BY_CHARTS]
    crds.install(admin, [*crds.definitions_of(kinds, mirror), metrics_kinds()])
    for name in sorted(_foreign_namespaces(objects)):
        make_namespace(admin, name)


def wait_until_held(argo_cd: ApiClient, cluster: str) -> str:
    """Return what Argo CD says once it waits for an operator, whose pods run nowhere."""
    live = argo_cd.wait_for(application(f"{cluster}-live"), _is_held, PATIENCE_SECONDS)
    message: str = live["status"]["operationState"]["message"]
    return message


def _foreign_namespaces(objects: Iterable[Document]) -> set[str]:
    """Return the namespaces that objects are in and do not bring; every cluster has `default`."""
    used = {each["metadata"].get("namespace", "default") for each in objects}
    brought = {each["metadata"]["name"] for each in objects if each["kind"] == "Namespace"}
    return used - brought - {"default"}


def _is_held(document: Document) -> bool:
    message: str = document.get("status", {}).get("operationState", {}).get("message", "")
    operators = [word for word in message.split() if word.endswith("operator")]
    return message.startswith("waiting for healthy state") and bool(operators)
