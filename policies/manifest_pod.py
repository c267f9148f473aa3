"""The pods that a manifest creates, as the webhook receives them."""

from collections.abc import Iterator
from dataclasses import dataclass

from policies.apply import copied
from policies.document import Document, Json, members, text
from policies.pod import DEFAULT_NAMESPACE
from policies.workloads.pod_template import PodTemplate, pod_templates


@dataclass(frozen=True, slots=True)
class ManifestPod:
    """A pod that is a manifest itself, or is created from a template in it."""

    kind: str
    """Kind of the object that creates it; `Pod` where it is the pod itself."""
    name: str
    """Name of that object."""
    namespace: str
    pointer: str
    """JSON Pointer from the manifest to the template."""
    template: PodTemplate
    document: Document
    """The pod; a copy."""


def manifest_pods(
    manifest: Document, *, namespace: str | None = None, default_namespace: str = DEFAULT_NAMESPACE
) -> Iterator[ManifestPod]:
    """Yield the pods of a Pod, a workload, or a List of them.

    Without `namespace`, each is in the one that its object names, or else in the default one.
    """
    for at, made_by in objects(manifest):
        metadata = members(made_by.get("metadata"))
        place = namespace or text(metadata.get("namespace")) or default_namespace
        name = text(metadata.get("name")) or text(metadata.get("generateName"))
        kind = text(made_by.get("kind"))
        for template in pod_templates(made_by):
            pod = copied(template.document)
            if template.document is not made_by:
                pod = _made(pod, kind)
            yield ManifestPod(kind, name, place, f"{at}{template.pointer}", template, pod)


def objects(document: Json, at: str = "") -> Iterator[tuple[str, Document]]:
    """Yield the object, or those in a List, each with the JSON Pointer to it."""
    if type(document) is not dict:
        return
    if text(document.get("kind")).endswith("List") and type(document.get("items")) is list:
        for index, item in enumerate(document["items"]):
            yield from objects(item, f"{at}/items/{index}")
    else:
        yield at, document


def _made(template: Document, kind: str) -> Document:
    """Return the pod that a controller creates from a template; rules ask who owns it."""
    metadata = template.pop("metadata", None)
    metadata = {} if metadata is None else metadata
    if type(metadata) is dict:
        metadata["ownerReferences"] = [{"kind": kind, "controller": True}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, **template}
