"""A plan for a terminal."""

from collections.abc import Iterator

from charts_py.plan.parts.told_effect import SIGNS, ToldObjects


def object_lines(told: ToldObjects) -> Iterator[str]:
    """Yield objects: what becomes of them, their verdict, and below why."""
    yield f"{SIGNS[told.change]} {told.verdict.word}: {told}"
    for each in told.effects:
        source = f" [{each.source}]" if each.source else ""
        yield f"    {each}{source}"
