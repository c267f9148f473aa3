"""What the API server lets a group do, as it answers to SubjectAccessReviews."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from charts_py.objects.document import Document
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


@dataclass(frozen=True, slots=True, order=True)
class ServedResource:
    """A resource, or a part of one as `pods/exec`, that an API server serves."""

    name: str
    group: str
    namespaced: bool


def served_resources(client: ApiClient) -> Iterator[ServedResource]:
    """Yield every resource that the API server serves, in its preferred versions."""
    yield from _resources(client, "/api/v1", "")
    for group in client.request("GET", "/apis").document["groups"]:
        version = group["preferredVersion"]["groupVersion"]
        yield from _resources(client, f"/apis/{version}", group["name"])


def granted(client: ApiClient, user_group: str, rights: Iterable[Right]) -> list[Right]:
    """Return, sorted, which of these rights a user has whose only group this is."""
    asked = sorted(rights)
    with ThreadPoolExecutor(_CLIENTS) as executor:
        allowed = executor.map(lambda right: _is_allowed(client, user_group, right), asked)
        return [right for right, is_allowed in zip(asked, allowed, strict=True) if is_allowed]


def _resources(client: ApiClient, path: str, group: str) -> Iterator[ServedResource]:
    for each in client.request("GET", path).document["resources"]:
        yield ServedResource(each["name"], group, each["namespaced"])


def _is_allowed(client: ApiClient, user_group: str, right: Right) -> bool:
    resource, _, subresource = right.resource.partition("/")
    attributes = {
        "verb": right.verb,
        "group": right.group,
        "resource": resource,
        "subresource": subresource,
        "namespace": right.namespace or "",
    }
    review: Document = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "metadata": {},
        "spec": {
            "user": "someone@example.com",
            # Everyone who is known to the API server is in the second group.
            "groups": [user_group, "system:authenticated"],
            "resourceAttributes": attributes,
        },
    }
    answer = client.create(review).document["status"]
    return bool(answer["allowed"])
