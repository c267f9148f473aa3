"""What Argo CD syncs of a folder of `dist/`, applied without it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from tests.e2e.control_plane.api_client import Answer, ApiClient
from tests.e2e.control_plane.namespaces import make_foreign_namespaces
from tests.e2e.folders import DIST
from tests.e2e.releases.crds import definitions_of, install, pinned_files


def synced_objects(name: str, platforms: Mapping[str, Platform]) -> list[Document]:
    """Return the objects of a folder: of its live version, and what stands outside of versions."""
    folder = DIST / name
    live = [folder / platforms[name].live] if name in platforms else []
    return documents_in(*folder.glob("*.yaml"), *live)


def documents_in(*places: Path) -> list[Document]:
    """Return the objects in files and folders, namespaces before what stands in them."""
    files = [file for each in places for file in (sorted(each.rglob("*.yaml")) or [each])]
    objects = [document for file in files for document in from_yaml(file.read_text())]
    return sorted(objects, key=lambda each: bool(each["kind"] != "Namespace"))


def prepare(client: ApiClient, objects: Sequence[Document]) -> None:
    """Install the definitions, and make the namespaces that others bring, as Argo CD's own."""
    install(client, definitions_of(objects, pinned_files()))
    make_foreign_namespaces(client, objects)


def apply_all(client: ApiClient, objects: Sequence[Document]) -> list[Answer]:
    """Apply objects; the API server refuses what it does not know all fields of."""
    return [client.apply(each) for each in objects]
