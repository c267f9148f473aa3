"""The pods that a manifest creates, each with the template that it is made of."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from policies.admission import Outcome
from policies.custom_rule import CustomName
from policies.document import (
    Document,
    field_path,
    holders,
    name_of,
    namespace_of,
    objects,
    steps_of,
    text,
    value_at,
)
from policies.operation import copied
from policies.pod import DEFAULT_NAMESPACE
from policies.settings import JobKind, kind_of
from policies.workloads.part_source import PartSource, below
from policies.workloads.pod_template import PodTemplate, pod_templates
from policies.workloads.registry import workload_kind


@dataclass(frozen=True, slots=True)
class ManifestPod:
    """A pod that is a manifest itself, or is created from a template in it."""

    kind: str
    """Kind of the object that creates it; `Pod` where it is the pod itself."""
    name: str
    namespace: str
    pointer: str
    """JSON Pointer from the manifest to the template."""
    template: PodTemplate
    document: Document
    """The pod; a copy."""
    made_in: str = ""
    """The kind of Kubernetes itself whose template it is; empty where its maker is of another."""
    source: PartSource | None = None
    """Where its fields stand if it is assembled; None where they stand below `pointer`."""

    def place_of(self, path: str) -> str:
        """Return the JSON Pointer in the manifest for one in the pod."""
        return f"{self.pointer}{path}" if self.source is None else self.source.pointer_of(path)

    def told(self, outcome: Outcome) -> Outcome:
        """Return an outcome that names fields as those of the object that creates the pod."""
        finding, place = outcome.finding, field_path(self.template.pointer)
        if type(finding.rule) is CustomName or (not place and self.source is None):
            return outcome
        said = partial(below, place) if self.source is None else self.source.said_of
        message, remedy = said(finding.message), said(finding.remedy)
        return outcome._replace(finding=finding._replace(message=message, remedy=remedy))


def manifest_pods(
    manifest: Document,
    *,
    namespace: str | None = None,
    default_namespace: str = DEFAULT_NAMESPACE,
    is_partial: bool = False,
) -> Iterator[ManifestPod]:
    """Yield the pods of a Pod, a workload, or a List of them.

    Without `namespace`, each is in the one that its object names, or else in the default one. Of a
    manifest that is partial, all templates are.
    """
    for at, made_by in objects(manifest):
        place = namespace or namespace_of(made_by) or default_namespace
        name, kind = name_of(made_by), text(made_by.get("kind"))
        for read in pod_templates(made_by):
            template = replace(read, partial=True) if is_partial else read
            pod = copied(template.document)
            if template.document is not made_by:
                pod = _made(pod, kind)
            source = PartSource(made_by, template, at) if template.partial else None
            found, made_in = f"{at}{template.pointer}", _made_in(made_by, template.pointer)
            yield ManifestPod(kind, name, place, found, template, pod, made_in, source)


def _made_in(made_by: Document, pointer: str) -> str:
    """Return the kind of Kubernetes itself that has a template, also within another object."""
    for place in holders(pointer):
        holder = value_at(made_by, steps_of(place))
        kind = kind_of(holder) if type(holder) is dict else JobKind("", "")
        if (known := workload_kind(kind.group, kind.kind)) is not None:
            return known.validated_in
    return ""


def _made(template: Document, kind: str) -> Document:
    """Return the pod that a controller creates from a template; rules read its owner."""
    metadata = template.pop("metadata", None)
    metadata = {} if metadata is None else metadata
    if type(metadata) is dict:
        metadata["ownerReferences"] = [{"kind": kind, "controller": True}]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, **template}
