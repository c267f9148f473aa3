"""What nodes have of what their detector expects, while they are not yet as a change asks."""

from collections.abc import Iterable

from charts_py.components.node_problem_detector.monitors import GPU_NOT_READY
from charts_py.platform.platform import Platform


def unmet_checks(pool: str, kept: Platform, asked: Platform) -> tuple[str, ...]:
    """Return what they have too little of, as `16 of 32 nvidia.com/gpu`."""
    before, after = (
        {one.name: one.facts.advertised for one in side.pools}.get(pool, ())
        for side in (kept, asked)
    )
    if not (before and asked.cluster.addons.watches_nodes):
        return ()
    found = {each.name: each.per_node for each in before}
    lacking = [each for each in after if found.get(each.name, 0) < each.per_node]
    return tuple(f"{found.get(each.name, 0)} of {each.per_node} {each.name}" for each in lacking)


def unmet_words(pool: str, unmet: Iterable[str]) -> str:
    return f"nodes of {pool} report {GPU_NOT_READY}, as they have {' and '.join(unmet)}"
