"""A node of its pools has every label that a pod requires.

Admission holds each requirement against the pools for itself, and knows of no label that people may
set on nodes: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/
"""

from collections.abc import Iterator, Sequence

from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import GpuPod, LintContext, LintObject, LintRule, RuleFinding
from gpuplane.workloads.unset_label import instead_of, unset_labels
from policies.document import field_path, shown
from policies.node_terms import Expression, can_meet, expressions, states_something
from policies.pod import Pod
from policies.reach import usable
from policies.settings import PoolSettings


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    for pod in one.gpu_pods:
        yield from _of_pod(pod, context)


def _of_pod(pod: GpuPod, context: LintContext) -> Iterator[RuleFinding]:
    pools = usable(context.offer.reach(pod.pod).pools, context.known_namespace)
    for unset in unset_labels(pod.pod, pools):
        place, names = f"{pod.pointer}{unset.path}", ", ".join(pool.name for pool in pools)
        meant = instead_of(unset, pod.pod, pools)
        field = field_path(f"{pod.pointer}/{unset.field.replace('.', '/')}")
        yield RuleFinding(
            place,
            f"The pod selects nodes {unset.required}, but no node that Karpenter makes for "
            f"{names} has that label, so it never starts.",
            (f"Select {meant} instead in {field}" if meant else f"Leave it out of {field}")
            + ", or have the platform team set it on a pool.",
        )
    if pools and (labels := _excluded_labels(pod.pod, pools)):
        names, required = ", ".join(pool.name for pool in pools), " and ".join(labels)
        place = f"{pod.pointer}/spec/affinity"
        yield RuleFinding(
            place,
            f"Together, what the pod requires of {required} excludes every node of {names}, so "
            "that it never starts.",
            f"Leave out one of these requirements in {field_path(place)}.",
        )


def _excluded_labels(pod: Pod, pools: Sequence[PoolSettings]) -> list[str]:
    """Return a label for each pool, with its values there; none where a node of one is left.

    Admission holds each requirement against all values that nodes of a pool can have: with two
    zones, one that excludes the first and one that excludes the second pass.
    """
    terms = [expressions(term) for term in pod.node_terms if states_something(term)]
    found = [[_excluded(term, pool) for term in terms] for pool in pools]
    if not terms or not all(map(all, found)):
        return []
    return [*dict.fromkeys(labels[0] for labels in found)]


def _excluded(term: Sequence[Expression], pool: PoolSettings) -> str:
    for key, values in pool.certain_labels.items():
        stated = [(operator, given) for name, operator, given in term if name == key]
        if not any(all(can_meet(value, *one) for one in stated) for value in values):
            return f"{shown(key)} ({', '.join(filter(None, values))})"
    return ""


RULE = LintRule(
    "unmatched-nodes",
    "A node of its pools has every label that a pod requires.",
    check,
    LintSeverity.ERROR,
)
