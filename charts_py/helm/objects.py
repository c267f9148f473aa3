"""What Helm prints, as the objects that an API server gets."""

from collections.abc import Iterable, Iterator, Mapping
from textwrap import shorten
from typing import Any

import yaml

from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.extensions.manifest_values import identity_faults
from charts_py.helm.program import HelmError
from charts_py.objects.document import Document, EmittedKind, key_of

_MAPS_OF_TEXTS = frozenset({"data", "labels", "matchLabels", "annotations", "nodeSelector"})
_SHOWN = 60
"""Characters that are shown of a value that is not an object."""
_IDENTITY = ("name", "namespace")
_DEFINITION = ("apiextensions.k8s.io", "CustomResourceDefinition")


def printed_objects(text: str, namespace: str, kinds: Iterable[EmittedKind]) -> Iterator[Document]:
    """Yield the objects of a release, with a namespace where `kinds` says that they have one.

    Some charts write one into objects that live in none, which the API server ignores.

    A definition comes without its status, which the API server alone writes, and every object
    without fields that are null: where a kind of Kubernetes has a field with a meaning, it is then
    absent to the API server. Raises HelmError for what is not an object or has no name, such as a
    List, and for a text that is null, which the API server stores as an empty one.
    """
    namespaced = {(kind.group, kind.kind): kind.namespaced for kind in kinds}
    for document in _documents(text):
        if document is not None:
            _check(document)
            yield _placed(_stated(without_nulls(document)), namespace, namespaced)


def _documents(text: str) -> Iterator[Any]:
    try:
        yield from yaml.load_all(text, Loader=ManifestLoader)
    except yaml.YAMLError as error:
        raise HelmError(f"helm prints invalid YAML: {' '.join(str(error).split())}") from error


def _check(document: Any) -> None:
    if not isinstance(document, dict):
        raise HelmError(f"helm prints {shorten(repr(document), _SHOWN)} in place of an object")
    for fault in identity_faults(document):
        raise HelmError(f"an object of kind {document.get('kind')}: {fault}")
    for path in _null_texts(document, ""):
        raise HelmError(f"{key_of(document)}: {path} is null; allowed: a text, or no such key")


def _null_texts(value: Any, path: str) -> Iterator[str]:
    """Yield the paths of null in what is a map of texts by its name."""
    if isinstance(value, list):
        for position, item in enumerate(value):
            yield from _null_texts(item, f"{path}[{position}]")
    if isinstance(value, dict):
        holds_texts = path.rpartition(".")[2] in _MAPS_OF_TEXTS
        for key, item in value.items():
            inner = f"{path}.{key}".removeprefix(".")
            if item is None and holds_texts:
                yield inner
            yield from _null_texts(item, inner)


def without_nulls(value: Any) -> Any:
    """Return the value as the API server reads it: null is absence to it, not to a JSON schema."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def _stated(document: Document) -> Document:
    key = key_of(document)
    if (key.group, key.kind) != _DEFINITION:
        return document
    return {name: value for name, value in document.items() if name != "status"}


def _placed(
    document: Document, namespace: str, namespaced: Mapping[tuple[str, str], bool]
) -> Document:
    key = key_of(document)
    is_namespaced = namespaced.get((key.group, key.kind), bool(key.namespace))
    if is_namespaced == bool(key.namespace):
        return document
    metadata = document["metadata"]
    others = {name: value for name, value in metadata.items() if name not in _IDENTITY}
    place = {"namespace": namespace} if is_namespaced else {}
    return {**document, "metadata": {"name": key.name, **place, **others}}
