"""Adding Kubernetes objects to a chart."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import jsii
from cdk8s import ApiObject
from constructs import Construct

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of


def add_object(
    scope: Construct, api_version: str, kind: str, metadata: ObjectMeta, body: Mapping[str, object]
) -> Construct:
    """Add an object whose fields apart from the metadata are `body`, and return it."""
    return add_document(scope, object_of(api_version, kind, metadata, body))


def add_document(scope: Construct, document: Document) -> Construct:
    """Add an object as it is, without our label, and return it, for others to depend on."""
    return _Documents(scope, (document,))


def add_documents(scope: Construct, documents: Iterable[Document]) -> None:
    """Add objects as they are, all at once."""
    if found := tuple(documents):
        _Documents(scope, found)


class _Documents(ApiObject):
    """Documents that cdk8s places as one object, and passes on as one text of JSON.

    Each crossing into cdk8s costs a millisecond, and so do a few hundred values that cross. So the
    documents cross together, as a text, which `Synthesis` reads.
    """

    def __init__(self, scope: Construct, documents: Sequence[Document]) -> None:
        api_version, kind = documents[0]["apiVersion"], documents[0]["kind"]
        metadata = documents[0]["metadata"]
        parts = (api_version, kind, metadata.get("namespace"), metadata["name"])
        identifier = "-".join(filter(None, parts)).replace("/", "-")
        super().__init__(scope, identifier, api_version=api_version, kind=kind)
        self._text = json.dumps(documents, allow_nan=False)

    @jsii.member(jsii_name="toJson")
    def to_json(self) -> Any:
        return self._text
