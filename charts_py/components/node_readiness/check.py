"""Whether nodes can wait for their GPUs."""

from collections.abc import Iterator

from charts_py.components.node_readiness.detector import POOL_NAME
from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import check_name
from charts_py.providers.registry import PROVIDERS
from charts_py.spec.fault import Problem


def check_node_readiness(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where no autoscaler waits for a tainted node, and for names too long."""
    field, block = ("addons", "nodeReadiness"), (draft.provider.name.value,)
    if not draft.cluster.addons.node_readiness or not (draft.is_read(field) and _has(draft, block)):
        return
    if PROVIDERS[draft.provider.name].provisioner(draft.cluster).takes_startup_taints:
        for pool in draft.pools:
            yield from check_name(POOL_NAME, pool.path, pool.name)
    else:
        what = f"no node on {draft.provider.name} starts with a taint that its autoscaler knows"
        yield Problem(field, what, 'only with eks.provisioner "karpenter"')


def _has(draft: Draft, block: tuple[str]) -> bool:
    """Tell whether the provider's own block was read, where there is one."""
    is_given = getattr(draft.cluster, *block, None) is not None
    return draft.is_whole(block) and (is_given or not draft.provider.makes_nodes)
