"""Patches of Kustomize, which have the kind and name of an object and state what changes in it."""

from collections.abc import Iterator

from charts_py.objects.document import Document
from policies.document import Json, elements, members, text
from policies.manifest_admission import objects
from policies.workloads.pod_template import pod_templates


def is_whole_pod(template: Json) -> bool:
    """Whether each container of a template has an image.

    Kustomize merges patches, which have the same kind and name and lack the rest, into an object: a
    field that a patch lacks says nothing of the object.
    """
    containers = elements(members(members(template).get("spec")).get("containers"))
    return bool(containers) and all(text(members(each).get("image")) for each in containers)


def without_image(document: Document) -> Iterator[str]:
    """Yield the JSON Pointer to each container without an image, by which an object is a patch."""
    for at, one in objects(document):
        for template in pod_templates(one):
            spec = members(template.document.get("spec"))
            containers = () if template.partial else elements(spec.get("containers"))
            for index, each in enumerate(containers):
                if not text(members(each).get("image")):
                    yield f"{at}{template.pointer}/spec/containers/{index}"
