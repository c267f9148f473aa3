"""Names: their format and length, by the kind of what they name."""

from collections.abc import Iterator

from charts_py.cluster_file.cluster_files import FLEET_FOLDER
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.platform.draft import Draft
from charts_py.platform.metrics_collection import dashboards_namespace, metrics_collection
from charts_py.platform.name_rule import NAMESPACE, NameRule, check_name

# https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
_CLUSTER = NameRule("a cluster", r"[a-z]([-a-z0-9]{0,28}[a-z0-9])?", 30)
_TEAM = NameRule("a team", r"[a-z]([-a-z0-9]{0,26}[a-z0-9])?", 28)
_PRIORITY_CLASS = NameRule("a priority class", r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", 63)
_RESERVED_PREFIX = "system-"
"""https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#priorityclass"""


def check_names(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each name that is not valid for its kind, or is already taken."""
    yield from check_name(_CLUSTER, (), draft.name)
    if draft.name == FLEET_FOLDER:
        what = f'"{draft.name}" is the name of the folder dist/{FLEET_FOLDER}'
        yield Problem((), what, "another file name")
    for name in draft.cluster.priorities:
        path = ("priorities", name)
        yield from check_name(_PRIORITY_CLASS, path, name)
        if name.startswith(_RESERVED_PREFIX):
            what = f'"{name}" has the prefix that Kubernetes reserves for its own priority classes'
            yield Problem(path, what, f"a name without the prefix {_RESERVED_PREFIX}")
    for name in draft.cluster.teams:
        yield from check_name(_TEAM, ("teams", name), name)
    yield from _namespaces(draft)


def _namespaces(draft: Draft) -> Iterator[Problem]:
    reserved = draft.reserved_namespaces.union(_chosen_namespaces(draft))
    taken: dict[str, FieldPath] = {}
    for path, name, _ in draft.namespaces():
        yield from check_name(NAMESPACE, path, name)
        if name in reserved:
            yield Problem(path, f'namespace "{name}" belongs to the platform', "another name")
        if name in taken:
            what = f'namespace "{name}" already belongs to team {taken[name][1]}'
            yield Problem(path, what, "one team per namespace")
        taken.setdefault(name, path)


def _chosen_namespaces(draft: Draft) -> Iterator[str]:
    """Yield the platform's namespaces whose names the cluster file may choose."""
    monitoring = draft.cluster.addons.monitoring
    yield draft.cluster.gitops.argocd_namespace
    yield from metrics_collection(monitoring, draft.provider).namespaces
    if monitoring.dashboards is not None:
        yield dashboards_namespace(monitoring, monitoring.dashboards)
