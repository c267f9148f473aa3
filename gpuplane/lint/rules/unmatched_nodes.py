"""A node of its pools has every label that a pod requires.

Admission holds each requirement against the pools for itself, and knows of no label that people may
set on nodes: https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/
"""

from collections.abc import Iterator

from gpuplane.lint.excluded_labels import excluded_labels
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import GpuPod, LintContext, LintObject, LintRule, RuleFinding
from gpuplane.workloads.unset_label import instead_of, unset_labels
from policies.document import field_path
from policies.reach import usable


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
    if pools and (labels := excluded_labels(pod.pod, pools)):
        names, required = ", ".join(pool.name for pool in pools), " and ".join(labels)
        place = f"{pod.pointer}/spec/affinity"
        yield RuleFinding(
            place,
            f"Together, what the pod requires of {required} excludes every node of {names}, so "
            "that it never starts.",
            f"Leave out one of these requirements in {field_path(place)}.",
        )


RULE = LintRule(
    "unmatched-nodes",
    "A node of its pools has every label that a pod requires.",
    check,
    LintSeverity.ERROR,
)
