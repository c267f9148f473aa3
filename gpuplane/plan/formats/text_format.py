"""A plan for a terminal."""

from collections.abc import Iterator

from gpuplane.plan.parts.reported_effect import SIGNS, ReportedObjects


def object_lines(objects: ReportedObjects) -> Iterator[str]:
    """Yield objects: what becomes of them, their verdict, and below why."""
    yield f"{SIGNS[objects.change]} {objects.verdict.word}: {objects}"
    for each in objects.effects:
        source = f" [{each.source}]" if each.source else ""
        yield f"    {each}{source}"
