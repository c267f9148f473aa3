"""What a cluster is rendered into, before anything is written."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from charts_py.argocd.project import Permissions
from charts_py.objects.document import Document, key_of
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.render_error import RenderError


@dataclass(frozen=True, slots=True)
class PinnedChart:
    """A Helm chart that Argo CD installs, as its Application names it."""

    name: str
    version: str
    repository: str


@dataclass(frozen=True, slots=True)
class Rendering:
    """The objects of one cluster."""

    cluster: str
    version: str
    folders: Mapping[str, tuple[Document, ...]]
    """Objects by component, each a folder of the version."""
    root_application: Document
    """The Application that a person applies once."""
    live_application: Document | None
    """The Application that names the live version; None where there is none."""
    project: Document
    """The AppProject that allows what this version and others need."""
    permissions: Permissions
    """What this version needs."""
    charts: tuple[PinnedChart, ...]
    spec_digest: str


@dataclass(frozen=True, slots=True)
class OtherVersions:
    """What matters about the other versions of a cluster."""

    permissions: Permissions = field(default_factory=Permissions)
    have_own_project: bool = False
    """Whether one of them still has an AppProject in its folder."""


ALONE = OtherVersions()
"""There is no other version."""


def spec_digest(platform: Platform) -> str:
    """Return the SHA-256 of the cluster file over what the fleet shares, defaults included.

    Which version is live, and when one may be, belongs to no version, nor does what a plan asks.
    """
    of_no_version = {"live", "plan", "promotion"}
    spec = platform.cluster.model_dump(mode="json", by_alias=True, exclude=of_no_version)
    return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()


def files_of(folders: Mapping[str, tuple[Document, ...]]) -> dict[str, bytes]:
    """Return the content of each file by its path below the version's folder, sorted."""
    files: dict[str, bytes] = {}
    for folder, documents in folders.items():
        for name, document in _named(folder, documents):
            files[f"{folder}/{name}"] = to_yaml(document).encode()
    return dict(sorted(files.items()))


def _named(folder: str, documents: tuple[Document, ...]) -> Iterator[tuple[str, Document]]:
    """Yield the documents as `<kind>.<name>.yaml`, with the namespace where two would collide."""
    keys = [key_of(document) for document in documents]
    short = [(key.kind, key.name) for key in keys]
    if len(set(keys)) != len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise RenderError(f"{folder}: {twice} is emitted twice")
    for key, document in zip(keys, documents, strict=True):
        collides = short.count((key.kind, key.name)) > 1
        parts = (key.kind, key.namespace, key.name) if collides else (key.kind, key.name)
        yield f"{'.'.join(filter(None, parts)).replace(':', '_')}.yaml", document
