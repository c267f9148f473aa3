"""Names of pools, whose form and length the provider decides."""

from collections.abc import Iterator

from charts_py.checks.draft import Draft, DraftPool
from charts_py.checks.name_rule import check_name
from charts_py.platform.karpenter_names import NAME_WITH_MINIMUM
from charts_py.platform.provider_facts import NameRule
from charts_py.spec.fault import Problem
from charts_py.spec.provider import EksProvisioner


def check_pool_names(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool that the provider cannot name like this."""
    for pool in draft.pools:
        yield from check_name(_rule(draft, pool), pool.path, pool.name)


def _rule(draft: Draft, pool: DraftPool) -> NameRule:
    eks = draft.cluster.eks
    by_karpenter = eks is not None and eks.provisioner is EksProvisioner.KARPENTER
    is_read = draft.is_read(("eks", "provisioner"))
    if by_karpenter and is_read and pool.spec.nodes.min > 0:
        return NAME_WITH_MINIMUM
    return draft.provider.pool_name
