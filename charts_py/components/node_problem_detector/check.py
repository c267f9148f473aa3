"""Which pools a detector can watch."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.components.node_problem_detector.detector import POOL_NAME
from charts_py.platform.draft import Draft
from charts_py.platform.name_rule import check_name


def check_watched_pools(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool whose name is too long for the objects of its detector."""
    if draft.cluster.addons.watches_nodes:
        for pool in draft.pools:
            yield from check_name(POOL_NAME, pool.path, pool.name)
