"""Names: their form and length for the kinds that they become names of."""

import re
from collections.abc import Iterator

from charts_py.checks.draft import Draft
from charts_py.platform.provider_facts import NameRule
from charts_py.spec.fault import FieldPath, Problem

RESERVED_NAMESPACES = frozenset(
    {
        "amd-gpu-operator",
        "default",
        "gpu-operator",
        "gpuplane-system",
        "kube-node-lease",
        "kube-public",
        "kube-system",
    }
)
"""Namespaces of Kubernetes and of the platform itself."""

# https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
_CLUSTER = NameRule("a cluster", r"[a-z]([-a-z0-9]{0,28}[a-z0-9])?", 30)
_TEAM = NameRule("a team", r"[a-z]([-a-z0-9]{0,26}[a-z0-9])?", 28)
_NAMESPACE = NameRule("a namespace", r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", 63)
_PRIORITY_CLASS = NameRule("a priority class", r"(?!system-)[a-z]([-a-z0-9]{0,61}[a-z0-9])?", 63)


def check_names(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each name that its kind does not take, or that is taken."""
    yield from _against(_CLUSTER, (), draft.name)
    for pool in draft.pools:
        yield from _against(draft.provider.pool_name, pool.path, pool.name)
    for name in draft.cluster.priorities:
        yield from _against(_PRIORITY_CLASS, ("priorities", name), name)
    for name in draft.cluster.teams:
        yield from _against(_TEAM, ("teams", name), name)
    yield from _namespaces(draft)


def _namespaces(draft: Draft) -> Iterator[Problem]:
    reserved = RESERVED_NAMESPACES | {
        draft.cluster.gitops.argocd_namespace,
        draft.cluster.addons.monitoring.namespace,
    }
    taken: dict[str, FieldPath] = {}
    for path, name, _ in draft.namespaces():
        yield from _against(_NAMESPACE, path, name)
        if name in reserved:
            yield Problem(
                path, f'namespace "{name}" is the platform\'s', "a name of the team's own"
            )
        if name in taken:
            yield Problem(path, f'namespace "{name}" is team {taken[name][1]}\'s already')
        taken.setdefault(name, path)


def _against(rule: NameRule, path: FieldPath, name: str) -> Iterator[Problem]:
    if re.fullmatch(rule.pattern, name):
        return
    what = f'"{name}" is no name for {rule.kind}'
    if len(name) > rule.longest:
        what = f'"{name}" has {len(name)} characters; {rule.kind} takes at most {rule.longest}'
    yield Problem(path, what, f"^{rule.pattern}$")
