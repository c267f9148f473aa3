"""The three roles of a team in its namespaces, and what everybody in a team reads elsewhere."""

from collections.abc import Iterable, Iterator, Mapping

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.contribution import Access, Use

GPU_ADMIN = "gpu-admin"
GPU_USER = "gpu-user"
GPU_VIEWER = "gpu-viewer"
_READER = "gpu-reader"
"""The role of all members of teams in the whole cluster."""
_GROUP = "rbac.authorization.k8s.io"

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
        Use.ADJUST: ("patch",),
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
        yield _cluster_role(role, verbs, by_use)


def cluster_reader(access: Iterable[Access], groups: Iterable[str]) -> Iterator[Document]:
    """Yield the role by which groups read what is in no namespace, and its binding to them."""
    by_use = _by_use(each for each in access if each.use is Use.LOOK_UP)
    subjects = [{"apiGroup": _GROUP, "kind": "Group", "name": group} for group in sorted(groups)]
    if by_use and subjects:
        yield _cluster_role(_READER, {Use.LOOK_UP: _READ}, by_use)
        reference = {"apiGroup": _GROUP, "kind": "ClusterRole", "name": _READER}
        body = {"roleRef": reference, "subjects": subjects}
        yield object_of(f"{_GROUP}/v1", "ClusterRoleBinding", ObjectMeta(_READER), body)


def _cluster_role(
    name: str,
    verbs: Mapping[Use, tuple[str, ...]],
    by_use: Mapping[tuple[Use, str], Iterable[str]],
) -> Document:
    rules = [
        {"apiGroups": [group], "resources": sorted(resources), "verbs": list(verbs[use])}
        for (use, group), resources in by_use.items()
        if use in verbs
    ]
    return object_of(f"{_GROUP}/v1", "ClusterRole", ObjectMeta(name), {"rules": rules})


def _by_use(access: Iterable[Access]) -> dict[tuple[Use, str], set[str]]:
    """Return resources by use, in the order of uses, and API group."""
    uses = list(Use)
    resources: dict[tuple[Use, str], set[str]] = {}
    for right in sorted(access, key=lambda right: (uses.index(right.use), right.group)):
        resources.setdefault((right.use, right.group), set()).update(right.resources)
    return resources
