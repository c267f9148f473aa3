"""Whether there are nodes that a burn-in can hold back."""

from collections.abc import Iterator

from charts_py.components.node_problem_detector.burnt_in import is_testable
from charts_py.platform.draft import Draft
from charts_py.providers.registry import PROVIDERS
from charts_py.spec.fault import Problem
from charts_py.spec.provider import EksProvisioner


def check_burn_in(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where an autoscaler would start node after node, or no pool is tested."""
    field = ("addons", "gpuHealth", "burnIn")
    if draft.cluster.addons.burn_in is None or not draft.is_read(field):
        return
    if draft.has_provider_settings and not _takes_taint(draft):
        what = f"no node on {draft.provider.name} starts with a taint that its autoscaler knows"
        allowed = f'only on-prem, or with eks.provisioner "{EksProvisioner.KARPENTER}"'
        yield Problem(field, what, allowed)
    if not any(
        pool.hardware is None or is_testable(pool.hardware.model.vendor, pool.sharing)
        for pool in draft.pools
    ):
        yield Problem(field, "without effect: no pool has NVIDIA GPUs without MIG and MPS")


def _takes_taint(draft: Draft) -> bool:
    """Tell whether a node that is tainted for long has no other one started in its place."""
    provisioner = PROVIDERS[draft.provider.name].provisioner(draft.cluster)
    return provisioner.takes_startup_taints or not draft.provider.makes_nodes
