"""Whether nodes can wait for their GPUs."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.components.node_readiness_controller.startup_taint import (
    WITH_KARPENTER,
    takes_startup_taints,
    unknown_taint,
)
from charts_py.platform.draft import Draft


def check_node_readiness(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where no autoscaler knows the taint that nodes start with."""
    field = ("addons", "nodeReadiness")
    is_wanted = draft.cluster.addons.node_readiness and draft.is_read(field)
    if not (is_wanted and draft.has_provider_settings):
        return
    if not takes_startup_taints(draft):
        yield unknown_taint(draft, field, f"only {WITH_KARPENTER}")
