"""Pods on spot nodes are told when their node goes.

Karpenter evicts no pod that is annotated with `karpenter.sh/do-not-disrupt` when EC2 takes a spot
node back, so that the two minutes of its notice pass without a signal (`IsEvictable` in
pkg/utils/pod/scheduling.go of https://github.com/kubernetes-sigs/karpenter at v1.14.0).
"""

from collections.abc import Iterator

from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from policies.document import pointer, text
from policies.pod import Pod
from policies.settings import PoolSettings
from policies.toleration import is_spot

NOT_DISRUPTED = "karpenter.sh/do-not-disrupt"
_OF_KARPENTER = "karpenter.sh/capacity-type"


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    for each in one.gpu_pods:
        if text(each.pod.annotations.get(NOT_DISRUPTED)) == "true" and _goes(each.pod, context):
            yield from each.placed((_UNTOLD,))


def _goes(pod: Pod, context: LintContext) -> bool:
    """Return whether it can run on spot nodes of Karpenter alone."""
    able = context.able_pools(pod)
    return bool(able) and all(map(_is_spot_of_karpenter, able))


def _is_spot_of_karpenter(pool: PoolSettings) -> bool:
    return is_spot(pool) and _OF_KARPENTER in pool.fixed_labels


_UNTOLD = RuleFinding(
    f"/metadata/annotations{pointer(NOT_DISRUPTED)}",
    "The pods can run on spot nodes alone, and Karpenter evicts none with this annotation: "
    "they get no signal when EC2 takes their node back.",
    "Leave it out, and write a checkpoint on SIGTERM.",
)
RULE = LintRule("spot-notice", "Pods on spot nodes are told when their node goes.", check)
