"""Whether nodes can wait for their GPUs."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.providers.registry import PROVIDERS
from charts_py.spec.fault import Problem
from charts_py.spec.provider import EksProvisioner


def check_node_readiness(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where no autoscaler knows the taint that nodes start with."""
    field = ("addons", "nodeReadiness")
    is_wanted = draft.cluster.addons.node_readiness and draft.is_read(field)
    if not (is_wanted and draft.has_provider_settings):
        return
    if not PROVIDERS[draft.provider.name].provisioner(draft.cluster).takes_startup_taints:
        what = f"no node on {draft.provider.name} starts with a taint that its autoscaler knows"
        yield Problem(field, what, f'only with eks.provisioner "{EksProvisioner.KARPENTER}"')
