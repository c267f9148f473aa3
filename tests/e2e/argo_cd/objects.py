"""The objects of a platform: those that were rendered, and those that a cluster has."""

from collections.abc import Iterable
from pathlib import Path

from charts_py.argocd.application import API_VERSION, NAME as APPLICATIONS
from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.releases.objects import read_release
from tests.e2e.scheduling.placements import is_ending

Kind = tuple[str, str]
"""API version and kind."""
Identity = tuple[str, str, str]
"""Kind, namespace and name."""

APPLICATION: Kind = (API_VERSION, "Application")

_OURS = {"labelSelector": "app.kubernetes.io/managed-by=gpuplane"}


def platform_objects(release: Path) -> list[Document]:
    """Return the objects of a release, as of `dist/training/1.0.0`, but for Argo CD's own."""
    components = {each.name for each in release.iterdir() if each.is_dir()} - {APPLICATIONS}
    return read_release(release, *sorted(components))


def rendered_objects(release: Path) -> dict[Identity, Kind]:
    return {
        _identity(each["kind"], each): (each["apiVersion"], each["kind"])
        for each in platform_objects(release)
    }


def objects_of(client: ApiClient, kinds: Iterable[Kind]) -> dict[Identity, str]:
    """Return the platform's objects of some kinds that a cluster has to stay, with their UIDs."""
    return {
        _identity(kind, each): each["metadata"]["uid"]
        for api_version, kind in set(kinds)
        if client.serves(api_version, kind)
        for each in client.find(api_version, kind, **_OURS)
        if not is_ending(each)
    }


def _identity(kind: str, document: Document) -> Identity:
    metadata = document["metadata"]
    return kind, metadata.get("namespace", ""), metadata["name"]
