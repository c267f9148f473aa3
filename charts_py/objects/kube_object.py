"""Adding Kubernetes objects to a chart."""

from collections.abc import Iterable, Mapping
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


def add_documents(scope: Construct, documents: Iterable[Document]) -> None:
    """Add objects as they are."""
    for document in documents:
        add_document(scope, document)


def add_document(scope: Construct, document: Document) -> Construct:
    """Add an object as it is, without our label, and return it, for others to depend on."""
    return _WholeObject(scope, document)


class _WholeObject(ApiObject):
    """A document that cdk8s places, and takes as it is when it writes.

    An ApiObject takes no fields of its own, and each crossing into cdk8s costs a millisecond: this
    one crosses twice, where one that is patched with its fields crosses three times.
    """

    def __init__(self, scope: Construct, document: Document) -> None:
        api_version, kind, metadata = document["apiVersion"], document["kind"], document["metadata"]
        parts = (api_version, kind, metadata.get("namespace"), metadata["name"])
        identifier = "-".join(filter(None, parts)).replace("/", "-")
        super().__init__(scope, identifier, api_version=api_version, kind=kind)
        self._document = document

    @jsii.member(jsii_name="toJson")
    def to_json(self) -> Any:
        return self._document
