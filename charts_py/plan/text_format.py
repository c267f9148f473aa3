"""A plan for a terminal."""

from collections.abc import Iterator

from charts_py.plan.effect import PlannedObject
from charts_py.plan.told_effect import SIGNS, told_effects


def object_lines(planned: PlannedObject) -> Iterator[str]:
    """Yield an object: what becomes of it, its verdict, and below why."""
    yield f"{SIGNS[planned.change]} {planned.verdict.word}: {planned.placed}"
    for each in told_effects(planned):
        source = f" [{each.source}]" if each.source else ""
        yield f"    {each}{source}"
