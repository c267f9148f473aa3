"""Where a pod asks for most of a resource, by which findings on its amount are marked."""

from policies.document import members, pointer
from policies.pod import Pod


def asked_place(pod: Pod, resource: str) -> str:
    """Return the JSON Pointer to that amount; to the containers where none states one."""
    of_pod = members(pod.spec.get("resources"))
    for field in ("requests", "limits"):
        if resource in members(of_pod.get(field)):
            return pointer("spec", "resources", field, resource)
    if not pod.containers:
        return "/spec/containers"
    largest = max(pod.containers, key=lambda each: each.request(resource))
    # The limit of GPUs counts, and the request of all else.
    is_request = resource in largest.requests and resource not in largest.gpus
    field = "requests" if is_request or resource not in largest.limits else "limits"
    return f"{largest.pointer}{pointer('resources', field, resource)}"
