"""An object's metadata, and the object as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from charts_py.objects.document import Document

MANAGED_BY = {"app.kubernetes.io/managed-by": "gpuplane"}
"""Label of every object that gpuplane alone describes."""


@dataclass(frozen=True, slots=True)
class ObjectMeta:
    """Metadata of an object; cluster-scoped objects have no namespace."""

    name: str
    namespace: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    finalizers: tuple[str, ...] = ()

    def manifest(self) -> dict[str, object]:
        metadata: dict[str, object] = {"name": self.name}
        if self.namespace is not None:
            metadata["namespace"] = self.namespace
        metadata["labels"] = dict(sorted({**MANAGED_BY, **self.labels}.items()))
        if self.annotations:
            metadata["annotations"] = dict(sorted(self.annotations.items()))
        if self.finalizers:
            metadata["finalizers"] = list(self.finalizers)
        return metadata


def object_of(
    api_version: str, kind: str, metadata: ObjectMeta, body: Mapping[str, object]
) -> Document:
    """Return the object whose fields apart from the metadata are `body`."""
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata.manifest(), **body}
