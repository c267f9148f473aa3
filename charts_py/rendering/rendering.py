"""What a cluster is rendered into, and the checks of that before anything is written."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from charts_py.argocd.project import Permissions
from charts_py.cluster_file.fault import RenderError
from charts_py.objects.document import Document, key_of, secret_faults
from charts_py.objects.manifest_yaml import manifest_files
from charts_py.platform.platform import Platform

MAX_OBJECT_BYTES = 3 * 2**19
"""1.5 MiB, what etcd takes of one write: `DefaultMaxRequestBytes` in
https://github.com/etcd-io/etcd (server/embed/config.go at v3.7.0)."""
MAX_DATA_BYTES = 2**20
"""1 MiB, the most that the values of a ConfigMap have: `MaxSecretSize` in
https://github.com/kubernetes/kubernetes (pkg/apis/core/types.go at v1.37.1)."""
MAX_EXPRESSION_LENGTH = 100_000
"""Code points of an expression of CEL: `expressionSizeCodePointLimit` in
https://github.com/google/cel-go (parser/parser.go at v0.29.2)."""
_EXPRESSIONS = ("expression", "messageExpression")


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

    Those of fields that were `added_later` are not. Which version is live, and when one may be,
    belongs to no version, nor does what a plan asks.
    """
    of_no_version = {"live", "plan", "promotion"}
    spec = platform.cluster.model_dump(mode="json", by_alias=True, exclude=of_no_version)
    return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()


def files_of(folders: Mapping[str, tuple[Document, ...]]) -> dict[str, bytes]:
    """Return the content of each file by its path below the version's folder, sorted.

    Raises RenderError where a folder has an object twice.
    """
    files = {
        f"{folder}/{name}": content
        for folder, documents in folders.items()
        for name, content in manifest_files(folder, documents).items()
    }
    return dict(sorted(files.items()))


def check_no_secrets(cluster: str, folders: Mapping[str, tuple[Document, ...]]) -> None:
    """Raise RenderError with a line for each Secret that holds data; folders are by component.

    No patch or construct gets past it, and `dist/` is in git.
    """
    found = [
        f"{cluster}: {component}: {fault}"
        for component, documents in folders.items()
        for fault in secret_faults(documents)
    ]
    if found:
        raise RenderError("\n".join(found))


def check_sizes(
    cluster: str, folders: Mapping[str, tuple[Document, ...]], remedies: Mapping[str, str]
) -> None:
    """Raise RenderError with a line for each thing that is too large.

    Folders are by component, as the remedies of those that have one are.
    """
    found = []
    for component, documents in folders.items():
        remedy = f"; {remedies[component]}" if remedies.get(component) else ""
        found += [
            f"{cluster}: {component}: {key_of(document)}: {fault}{remedy}"
            for document in documents
            for fault in _size_faults(document)
        ]
    if found:
        raise RenderError("\n".join(found))


def _size_faults(document: Document) -> Iterator[str]:
    size = len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())
    if size > MAX_OBJECT_BYTES:
        yield _too_large("it", size, MAX_OBJECT_BYTES, "bytes")
    if (data := _data_size(document)) > MAX_DATA_BYTES:
        yield _too_large("its data", data, MAX_DATA_BYTES, "bytes")
    for path, expression in _expressions(document, ""):
        if len(expression) > MAX_EXPRESSION_LENGTH:
            yield _too_large(path, len(expression), MAX_EXPRESSION_LENGTH, "characters")


def _data_size(document: Document) -> int:
    """Return the bytes of the values of a ConfigMap; 0 for anything else."""
    if (document["apiVersion"], document["kind"]) != ("v1", "ConfigMap"):
        return 0
    return sum(len(str(value).encode()) for value in (document.get("data") or {}).values())


def _too_large(what: str, size: int, limit: int, unit: str) -> str:
    return f"{what} has {size:,} {unit}; allowed: at most {limit:,}"


def _expressions(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key in _EXPRESSIONS and isinstance(each, str):
                yield f"{path}.{key}".removeprefix("."), each
            else:
                yield from _expressions(each, f"{path}.{key}")
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(value):
            yield from _expressions(each, f"{path}[{index}]")
