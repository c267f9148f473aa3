"""Adding a Kubernetes object to a chart."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from cdk8s import ApiObject, JsonPatch
from constructs import Construct

MANAGED_BY = {"app.kubernetes.io/managed-by": "gpuplane"}
"""Stands on every emitted object."""


@dataclass(frozen=True, slots=True)
class ObjectMeta:
    """Name, place and marks of an object; cluster-scoped objects have no namespace."""

    name: str
    namespace: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)

    def manifest(self) -> dict[str, object]:
        """Return the metadata as it stands in the manifest."""
        metadata: dict[str, object] = {"name": self.name}
        if self.namespace is not None:
            metadata["namespace"] = self.namespace
        metadata["labels"] = dict(sorted({**MANAGED_BY, **self.labels}.items()))
        if self.annotations:
            metadata["annotations"] = dict(sorted(self.annotations.items()))
        return metadata


def add_object(
    scope: Construct, api_version: str, kind: str, metadata: ObjectMeta, body: Mapping[str, object]
) -> ApiObject:
    """Add an object whose fields beside the metadata are `body`, and return it.

    The whole document crosses into cdk8s as one patch: an ApiObject takes no fields of its own,
    and each further crossing costs a millisecond.
    """
    identifier = "-".join(filter(None, (kind, metadata.namespace, metadata.name)))
    added = ApiObject(scope, identifier.replace("/", "-"), api_version=api_version, kind=kind)
    document = {"apiVersion": api_version, "kind": kind, "metadata": metadata.manifest(), **body}
    added.add_json_patch(JsonPatch.replace("", document))
    return added
