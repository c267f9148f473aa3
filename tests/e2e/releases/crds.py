"""The CustomResourceDefinitions of what `dist/` holds, of the pinned upstream files."""

import json
import os
import re
from collections.abc import Collection, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from charts_py.objects.document import Document
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.manifest import manifest
from tests.e2e.polling import once_seen
from upstream.compile import load_documents
from upstream.fetch import Mirror, read_locked
from upstream.lock import LockedFile, committed_lock
from upstream.schema_files import CRDS

MIRROR_VARIABLE = "GPUPLANE_MIRROR"


def pinned_files() -> Mirror:
    """Return the mirror that the environment names; skip the test where it names none."""
    if (folder := os.environ.get(MIRROR_VARIABLE)) is None:
        pytest.skip(f"{MIRROR_VARIABLE} names no folder with upstream files")
    return Mirror(Path(folder))


def definitions_of(objects: Iterable[Document], mirror: Mirror) -> list[Document]:
    """Return the definitions of the kinds of some objects; kinds of Kubernetes itself have none.

    Raises UpstreamError for a pinned file that is missing or has another digest.
    """
    kinds = {(each["apiVersion"], each["kind"]) for each in objects}
    return [
        each
        for locked in committed_lock()
        if any(_may_define(locked, mirror, *kind) for kind in kinds)
        for each in _definitions_in(locked, mirror)
        if not kinds.isdisjoint(_kinds_of(each))
    ]


def install_unserved(client: ApiClient, objects: Iterable[Document]) -> None:
    """Install the definitions of those kinds of some objects that are not served yet."""
    kinds = {(each["apiVersion"], each["kind"]): each for each in objects}
    unserved = [each for kind, each in kinds.items() if not client.serves(*kind)]
    if unserved:
        install(client, definitions_of(unserved, pinned_files()))


def install(client: ApiClient, definitions: Collection[Document]) -> None:
    """Apply definitions, and wait until their kinds are served; raise TimeoutError."""
    for each in definitions:
        client.apply(each)
    for kind in {kind for each in definitions for kind in _kinds_of(each)}:
        once_seen(partial(client.serves, *kind), what=f"{kind} is served")


def _may_define(locked: LockedFile, mirror: Mirror, api_version: str, kind: str) -> bool:
    """Tell whether a file names the group and the kind, which is seen without parsing it."""
    if locked.api_version and locked.kind:
        return (locked.api_version, locked.kind) == (api_version, kind)
    group = api_version.rpartition("/")[0]
    lines = (f"group: {group}\n".encode(), f"kind: {kind}\n".encode())
    return locked.file.startswith(f"{CRDS}/") and all(
        line in _content(locked, mirror) for line in lines
    )


@cache
def _content(locked: LockedFile, mirror: Mirror) -> bytes:
    return read_locked(locked, mirror)


@cache
def _definitions_in(locked: LockedFile, mirror: Mirror) -> list[Document]:
    if locked.api_version and locked.kind:
        schema = json.loads(read_locked(locked, mirror))
        return [_definition(locked.api_version, locked.kind, schema)]
    if locked.file.startswith(f"{CRDS}/"):
        return load_documents(_content(locked, mirror))
    return []


def _kinds_of(definition: Document) -> set[tuple[str, str]]:
    """Return the API version and kind of each version that a definition serves."""
    spec = definition["spec"]
    return {
        (f"{spec['group']}/{version['name']}", spec["names"]["kind"])
        for version in spec["versions"]
        if version["served"]
    }


def _definition(api_version: str, kind: str, schema: Document) -> Document:
    """Return a definition for a kind of which only a schema is published."""
    return definition(f"{api_version} {kind}", f"{kind.lower()}s", _structural(schema))


def definition(kind: str, plural: str, schema: Document, scope: str = "Namespaced") -> Document:
    """Return a definition of one version of a kind, as `example.com/v1 Box`."""
    group, version, kind = re.split("[/ ]", kind)
    served = {"name": version, "served": True, "storage": True}
    spec = {
        "group": group,
        "names": {"kind": kind, "plural": plural, "singular": kind.lower()},
        "scope": scope,
        "versions": [{**served, "schema": {"openAPIV3Schema": schema}}],
    }
    name = f"{plural}.{group}"
    return manifest("apiextensions.k8s.io/v1 CustomResourceDefinition", name, spec=spec)


def _structural(schema: Any) -> Any:
    """Return a schema without its prohibitions of other fields.

    A definition may not state them beside properties; the API server refuses such fields itself,
    where it is asked to be strict.
    """
    if isinstance(schema, list):
        return [_structural(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _structural(value)
        for key, value in schema.items()
        if (key, value) != ("additionalProperties", False)
    }
