"""The bridge to cdk8s: documents become objects of a chart, and objects of a chart documents."""

from collections.abc import Iterable, Mapping

import jsii
from cdk8s import ApiObject, ApiObjectMetadata, Chart
from constructs import Construct

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of


class KubeObject(ApiObject):
    """An object of a chart, which cdk8s writes as its document is: with no label of the chart's."""

    def __init__(self, scope: Construct, document: Document) -> None:
        metadata = document["metadata"]
        name, namespace = metadata["name"], metadata.get("namespace")
        parts = (document["apiVersion"], document["kind"], namespace, name)
        super().__init__(
            scope,
            "-".join(filter(None, parts)).replace("/", "-"),
            api_version=document["apiVersion"],
            kind=document["kind"],
            metadata=ApiObjectMetadata(name=name, namespace=namespace),
        )
        self.document = document

    @jsii.member(jsii_name="toJson")
    def to_json(self) -> Document:
        return self.document


def add_object(
    scope: Construct, api_version: str, kind: str, metadata: ObjectMeta, body: Mapping[str, object]
) -> KubeObject:
    """Add an object whose fields apart from the metadata are `body`."""
    return KubeObject(scope, object_of(api_version, kind, metadata, body))


def add_documents(scope: Construct, documents: Iterable[Document]) -> tuple[KubeObject, ...]:
    return tuple(KubeObject(scope, document) for document in documents)


def documents_of(chart: Chart) -> tuple[Document, ...]:
    """Return what cdk8s writes of a chart, each object after those on which it depends.

    Numbers are as JavaScript has them, so that 1.0 is 1, and fields that are null are left out.
    """
    return tuple(chart.to_json())
