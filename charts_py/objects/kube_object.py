"""Adding Kubernetes objects to a chart."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jsii
from cdk8s import ApiObject
from constructs import Construct

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.text_chart import TextChart


def add_object(
    scope: Construct, api_version: str, kind: str, metadata: ObjectMeta, body: Mapping[str, object]
) -> Construct:
    """Add an object whose fields apart from the metadata are `body`, and return it."""
    return add_document(scope, object_of(api_version, kind, metadata, body))


def add_document(scope: Construct, document: Document) -> Construct:
    """Add an object as it is, without our label, and return it, for others to depend on."""
    return _Documents(scope, (document,)) if TextChart.holds(scope) else _Object(scope, document)


def add_documents(scope: Construct, documents: Iterable[Document]) -> None:
    """Add objects as they are, all at once."""
    found = tuple(documents)
    if found and TextChart.holds(scope):
        _Documents(scope, found)
        return
    for document in found:
        _Object(scope, document)


class _Placed(ApiObject):
    """What cdk8s places by a document, and takes as it is when it writes."""

    def __init__(self, scope: Construct, document: Document) -> None:
        api_version, kind, metadata = document["apiVersion"], document["kind"], document["metadata"]
        parts = (api_version, kind, metadata.get("namespace"), metadata["name"])
        identifier = "-".join(filter(None, parts)).replace("/", "-")
        super().__init__(scope, identifier, api_version=api_version, kind=kind)


class _Object(_Placed):
    """A document in a chart of anybody's."""

    def __init__(self, scope: Construct, document: Document) -> None:
        super().__init__(scope, document)
        self._document = document

    @jsii.member(jsii_name="toJson")
    def to_json(self) -> Any:
        return self._document


class _Documents(_Placed):
    """Documents that cdk8s places as one object, and passes on as one text of JSON.

    Each crossing into cdk8s costs a millisecond, and so do a few hundred values that cross.
    """

    def __init__(self, scope: Construct, documents: Sequence[Document]) -> None:
        super().__init__(scope, documents[0])
        self._text = json.dumps(documents, allow_nan=False)

    @jsii.member(jsii_name="toJson")
    def to_json(self) -> Any:
        return self._text
