"""Names: their form and length for the kinds that they become names of."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import NameRule, check_name
from charts_py.spec.cluster_files import FLEET_FOLDER
from charts_py.spec.fault import FieldPath, Problem

# https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
_CLUSTER = NameRule("a cluster", r"[a-z]([-a-z0-9]{0,28}[a-z0-9])?", 30)
_TEAM = NameRule("a team", r"[a-z]([-a-z0-9]{0,26}[a-z0-9])?", 28)
_NAMESPACE = NameRule("a namespace", r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", 63)
_PRIORITY_CLASS = NameRule("a priority class", r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", 63)
_RESERVED_PREFIX = "system-"
"""https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#priorityclass"""


def check_names(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each name that its kind does not take, or that is taken."""
    yield from check_name(_CLUSTER, (), draft.name)
    if draft.name == FLEET_FOLDER:
        what = f'"{draft.name}" is the name of the folder dist/{FLEET_FOLDER}'
        yield Problem((), what, "another name of the file")
    for name in draft.cluster.priorities:
        path = ("priorities", name)
        yield from check_name(_PRIORITY_CLASS, path, name)
        if name.startswith(_RESERVED_PREFIX):
            what = f'"{name}" begins like the priority classes of Kubernetes itself'
            yield Problem(path, what, f"a name without {_RESERVED_PREFIX}")
    for name in draft.cluster.teams:
        yield from check_name(_TEAM, ("teams", name), name)
    yield from _namespaces(draft)


def _namespaces(draft: Draft) -> Iterator[Problem]:
    reserved = draft.reserved_namespaces | {
        draft.cluster.gitops.argocd_namespace,
        draft.cluster.addons.monitoring.namespace,
    }
    taken: dict[str, FieldPath] = {}
    for path, name, _ in draft.namespaces():
        yield from check_name(_NAMESPACE, path, name)
        if name in reserved:
            yield Problem(
                path, f'namespace "{name}" is the platform\'s', "a name of the team's own"
            )
        if name in taken:
            what = f'namespace "{name}" is team {taken[name][1]}\'s already'
            yield Problem(path, what, "one team a namespace")
        taken.setdefault(name, path)
