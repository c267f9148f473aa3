"""Whether a pod template is one to apply."""

from policies.document import Json, elements, members, text


def is_whole_pod(template: Json) -> bool:
    """Whether each container of a template has an image.

    Kustomize merges patches, which have the same kind and name and lack the rest, into an object:
    what they do not state says nothing of it.
    """
    containers = elements(members(members(template).get("spec")).get("containers"))
    return bool(containers) and all(text(members(each).get("image")) for each in containers)
