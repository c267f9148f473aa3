"""Size limits of pools."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.draft import Draft


def check_node_range(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each minimum or warm count above the maximum."""
    for pool in draft.pools:
        if not draft.is_read((*pool.path, "nodes", "max")):
            continue
        nodes = pool.spec.nodes
        for field, count in (("min", nodes.min), ("warm", nodes.warm)):
            if count > nodes.max:
                yield Problem(
                    (*pool.path, "nodes", field), f"{count} is above max", f"at most {nodes.max}"
                )
