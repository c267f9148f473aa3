"""The three roles of a team, and what each may do with the objects in its namespaces."""

from collections.abc import Iterable, Iterator, Mapping

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.additions import Access, Use

GPU_ADMIN = "gpu-admin"
GPU_USER = "gpu-user"
GPU_VIEWER = "gpu-viewer"

_READ = ("get", "list", "watch")
_WRITE = (*_READ, "create", "update", "patch", "delete")
_ALL = (*_WRITE, "deletecollection")
_CHANGE = ("get", "update", "patch")
# kubectl opens a stream by GET over WebSocket and falls back to POST over SPDY:
# https://kubernetes.io/blog/2024/08/20/websockets-transition/
_CONNECT = ("create", "get")

_VERBS: Mapping[str, Mapping[Use, tuple[str, ...]]] = {
    GPU_ADMIN: {
        Use.RUN: _ALL,
        Use.READ: _READ,
        Use.CHANGE: _CHANGE,
        Use.CONNECT: _CONNECT,
        Use.ADMINISTER: _ALL,
        Use.AUDIT: _READ,
    },
    GPU_USER: {
        Use.RUN: _WRITE,
        Use.READ: _READ,
        Use.CHANGE: _CHANGE,
        Use.CONNECT: _CONNECT,
    },
    GPU_VIEWER: {
        Use.RUN: _READ,
        Use.READ: _READ,
    },
}
"""By role; a role has no right where it has no verbs."""


def cluster_roles(access: Iterable[Access]) -> Iterator[Document]:
    """Yield a ClusterRole for each role, with a rule for each use that it has of an API group."""
    by_use = _by_use(access)
    for role, verbs in _VERBS.items():
        rules = [
            {"apiGroups": [group], "resources": sorted(resources), "verbs": list(verbs[use])}
            for (use, group), resources in by_use.items()
            if use in verbs
        ]
        body = {"rules": rules}
        yield object_of("rbac.authorization.k8s.io/v1", "ClusterRole", ObjectMeta(role), body)


def _by_use(access: Iterable[Access]) -> dict[tuple[Use, str], set[str]]:
    """Return resources by use, in the order of uses, and API group."""
    uses = list(Use)
    resources: dict[tuple[Use, str], set[str]] = {}
    for right in sorted(access, key=lambda right: (uses.index(right.use), right.group)):
        resources.setdefault((right.use, right.group), set()).update(right.resources)
    return resources
