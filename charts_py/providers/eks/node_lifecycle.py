"""When Karpenter may take a node of a pool away."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from charts_py.cluster_file.pool import Purpose
from charts_py.platform.platform import PlatformPool
from gpus.purchase import Purchase


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """When Karpenter may take a node away, in the format of its NodePool.

    Budgets hold back consolidation and drift, and nothing else. A pod that says
    `karpenter.sh/do-not-disrupt` holds back both of them, and any drain, but only up to the grace
    period. Expiry drains a node whatever the budgets say, and before another is there.
    https://karpenter.sh/v1.14/concepts/disruption/
    """

    consolidation_policy: str
    consolidate_after: str
    expire_after: str
    """Of the nodes beyond the minimum size; those of the minimum never expire."""
    termination_grace_period: str | None
    """How long pods can hold up a drain; None: without limit."""
    replaced_at_once: int = 1
    """How many nodes may go at once that are not as their pool says now, such as of an older image,
    or are barely used; 0 leaves them until they are empty, or a person takes them away."""


# Training runs lose hours with one node, so a node goes only when it is empty.
LIFECYCLES: Mapping[Purpose, Lifecycle] = {
    Purpose.TRAINING: Lifecycle("WhenEmpty", "30m", "Never", None, replaced_at_once=0),
    Purpose.BATCH: Lifecycle("WhenEmpty", "5m", "720h", "6h"),
    Purpose.NOTEBOOKS: Lifecycle("WhenEmpty", "30m", "720h", "12h"),
    Purpose.INFERENCE: Lifecycle("WhenEmptyOrUnderutilized", "10m", "720h", "1h"),
}


def lifecycle_of(pool: PlatformPool) -> Lifecycle:
    """Return when nodes may go, as the purpose says.

    Those of a capacity block are paid until it ends, so they stay until Karpenter drains them, 40
    minutes before. Pods have 10 of these to save what they did: EC2 then takes the machines.
    https://github.com/aws/karpenter-provider-aws (designs/capacity-block-support.md)
    """
    lifecycle = LIFECYCLES[pool.spec.purpose]
    if pool.spec.purchase is not Purchase.CAPACITY_BLOCK:
        return lifecycle
    return replace(
        lifecycle,
        consolidation_policy="WhenEmpty",
        consolidate_after="Never",
        expire_after="Never",
        termination_grace_period="10m",
        replaced_at_once=0,
    )
