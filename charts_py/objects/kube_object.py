"""Adding a Kubernetes object to a chart."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cdk8s import ApiObject, JsonPatch
from constructs import Construct

from charts_py.objects.document import Document

MANAGED_BY = {"app.kubernetes.io/managed-by": "gpuplane"}
"""Stands on every object that gpuplane alone describes."""


@dataclass(frozen=True, slots=True)
class ObjectMeta:
    """Name, place and marks of an object; cluster-scoped objects have no namespace."""

    name: str
    namespace: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    finalizers: tuple[str, ...] = ()

    def manifest(self) -> dict[str, object]:
        """Return the metadata as it stands in the manifest."""
        metadata: dict[str, object] = {"name": self.name}
        if self.namespace is not None:
            metadata["namespace"] = self.namespace
        metadata["labels"] = dict(sorted({**MANAGED_BY, **self.labels}.items()))
        if self.annotations:
            metadata["annotations"] = dict(sorted(self.annotations.items()))
        if self.finalizers:
            metadata["finalizers"] = list(self.finalizers)
        return metadata


def add_object(
    scope: Construct, api_version: str, kind: str, metadata: ObjectMeta, body: Mapping[str, object]
) -> ApiObject:
    """Add an object whose fields beside the metadata are `body`, and return it."""
    document = {"apiVersion": api_version, "kind": kind, "metadata": metadata.manifest(), **body}
    return add_document(scope, document)


def add_document(scope: Construct, document: Document) -> ApiObject:
    """Add an object as it is, without a mark of ours, and return it.

    The whole document crosses into cdk8s as one patch: an ApiObject takes no fields of its own,
    and each further crossing costs a millisecond.
    """
    api_version, kind, metadata = document["apiVersion"], document["kind"], document["metadata"]
    parts = (api_version, kind, metadata.get("namespace"), metadata["name"])
    identifier = "-".join(filter(None, parts)).replace("/", "-")
    added = ApiObject(scope, identifier, api_version=api_version, kind=kind)
    added.add_json_patch(JsonPatch.replace("", document))
    return added
