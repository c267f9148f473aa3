"""What Helm prints, as the objects that an API server gets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.objects.document import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from charts_py.objects.document import Document, EmittedKind

_DEFINITION = ("apiextensions.k8s.io", "CustomResourceDefinition")


def printed_objects(text: str, namespace: str, kinds: Iterable[EmittedKind]) -> Iterator[Document]:
    """Yield the objects of a release, each with its namespace where `kinds` says it has one.

    A definition comes without its status, which the API server alone writes, and every object
    without fields that are null: to the API server they are absent.
    """
    namespaced = {(kind.group, kind.kind) for kind in kinds if kind.namespaced}
    for document in yaml.load_all(text, Loader=ManifestLoader):
        if document is not None:
            yield _placed(_stated(_without_nulls(document)), namespace, namespaced)


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _stated(document: Document) -> Document:
    key = key_of(document)
    if (key.group, key.kind) != _DEFINITION:
        return document
    return {name: value for name, value in document.items() if name != "status"}


def _placed(document: Document, namespace: str, namespaced: set[tuple[str, str]]) -> Document:
    key = key_of(document)
    if key.namespace or (key.group, key.kind) not in namespaced:
        return document
    name, others = key.name, dict(document["metadata"])
    del others["name"]
    return {**document, "metadata": {"name": name, "namespace": namespace, **others}}
