"""Names of pools, whose form and length the provider decides."""

from collections.abc import Iterator

from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import check_name
from charts_py.spec.fault import Problem


def check_pool_names(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool that the provider cannot name like this."""
    for pool in draft.pools:
        yield from check_name(draft.provider.pool_name(draft, pool), pool.path, pool.name)
