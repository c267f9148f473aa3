"""What the API server lets a group do, as it answers to SubjectAccessReviews."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tests.e2e.control_plane.api_client import ApiClient

READ = ("get", "list", "watch")
WRITE = ("create", "update", "patch", "delete", "deletecollection")

_CLIENTS = 4


@dataclass(frozen=True, slots=True, order=True)
class Right:
    """To do something to the objects of a resource, in a namespace or in the cluster."""

    verb: str
    resource: str
    group: str = ""
    namespace: str | None = None


def served_resources(client: ApiClient) -> dict[tuple[str, str], bool]:
    """Return whether the resources that the API server serves are namespaced, by name and group.

    They are those of preferred versions, and parts of them as `pods/exec`.
    """
    groups = client.request("GET", "/apis").document["groups"]
    served = {
        group["name"]: f"/apis/{group['preferredVersion']['groupVersion']}" for group in groups
    }
    return {
        (each["name"], group): each["namespaced"]
        for group, path in {"": "/api/v1", **served}.items()
        for each in client.request("GET", path).document["resources"]
    }


def granted(client: ApiClient, user_group: str, rights: Iterable[Right]) -> list[Right]:
    """Return, sorted, which of these rights a user has whose only group this is."""
    asked = sorted(rights)
    with ThreadPoolExecutor(_CLIENTS) as executor:
        allowed = executor.map(lambda right: _is_allowed(client, user_group, right), asked)
        return [right for right, is_allowed in zip(asked, allowed, strict=True) if is_allowed]


def _is_allowed(client: ApiClient, user_group: str, right: Right) -> bool:
    resource, _, subresource = right.resource.partition("/")
    attributes = {
        "verb": right.verb,
        "group": right.group,
        "resource": resource,
        "subresource": subresource,
        "namespace": right.namespace or "",
    }
    # Everyone who is known to the API server is in the second group.
    groups = [user_group, "system:authenticated"]
    spec = {"user": "someone@example.com", "groups": groups, "resourceAttributes": attributes}
    review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview"}
    answer = client.create({**review, "metadata": {}, "spec": spec}).document["status"]
    return bool(answer["allowed"])
