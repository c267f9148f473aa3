"""Whether there are nodes that a burn-in can hold back."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.components.node_problem_detector.burnt_in import is_testable
from charts_py.components.node_readiness_controller.startup_taint import (
    WITH_KARPENTER,
    takes_startup_taints,
    unknown_taint,
)
from charts_py.platform.draft import Draft


def check_burn_in(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where an autoscaler would start node after node, or no pool is tested."""
    field = ("addons", "gpuHealth", "burnIn")
    if draft.cluster.addons.burn_in is None or not draft.is_read(field):
        return
    # Nobody starts another machine of one's own in place of one that is tainted for long.
    takes_taint = takes_startup_taints(draft) or not draft.provider.makes_nodes
    if draft.has_provider_settings and not takes_taint:
        yield unknown_taint(draft, field, f"only on-prem, or {WITH_KARPENTER}")
    if not any(
        pool.hardware is None or is_testable(pool.hardware.model.vendor, pool.sharing)
        for pool in draft.pools
    ):
        yield Problem(field, "without effect: no pool has NVIDIA GPUs without MIG and MPS")
