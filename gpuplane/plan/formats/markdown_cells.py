"""Objects of a plan as Markdown, for cells of tables."""

from collections.abc import Iterable, Iterator

from gpuplane.plan.parts.reported_effect import SIGNS, ReportedEffect, ReportedObjects
from gpuplane.tables import code, escaped


def object_table(objects: Iterable[ReportedObjects]) -> Iterator[str]:
    """Yield the lines of a table of objects, a row each."""
    yield "| Verdict | Object | Why |"
    yield "|---|---|---|"
    for each in objects:
        why = "<br>".join(map(_why, each.effects))
        yield f"| {each.verdict.word} | {code(f'{SIGNS[each.change]} {each}')} | {why} |"


def _why(effect: ReportedEffect) -> str:
    fields = f"{code(effect.named)}: " if effect.named else ""
    source = f" ([source]({effect.source}))" if effect.source else ""
    return f"{fields}{escaped(effect.said)}{source}"
