"""A pool as a bar: who has its GPUs, all bars to one scale."""

from dataclasses import dataclass
from fractions import Fraction

from gpuplane.fleet_report.figure_words import counted_gpus
from gpuplane.fleet_report.pool_use import Holder
from gpuplane.fleet_report.report_page import PoolRow

MEANINGS = {
    Holder.TEAM: "a team's quota",
    Holder.SLURM: "of Slurm",
    Holder.SPARE: "spare, for nodes that break",
    Holder.NOBODY: "in nobody's quota",
    Holder.LOST: "lost to the MIG layout",
}
_PERCENT_OF_LETTER = 1.25
"""About what a letter of a label takes of the widest bar."""


@dataclass(frozen=True, slots=True)
class BarPart:
    """A part of a bar, in percent of the widest."""

    holder: Holder
    team: str
    start: float
    width: float
    words: str
    is_labelled: bool
    """Whether there is room for the name of its team."""


@dataclass(frozen=True, slots=True)
class PoolBar:
    parts: tuple[BarPart, ...]
    kept: float
    """The part that is kept running, in percent of the widest bar."""
    end: float
    aside: str
    """Teams whose part has no room for their name."""
    who: str
    """Whose it is, where there is no room for names."""
    words: str
    """What it shows, for those who do not see it."""


def bar_of(row: PoolRow, scale: Fraction) -> PoolBar:
    parts: list[BarPart] = []
    start = 0.0
    for each in row.parts:
        width = _percent(each.gpus, scale)
        whose = f"team {each.team}" if each.team else MEANINGS[each.holder]
        has_room = width > (len(each.team) + 1) * _PERCENT_OF_LETTER
        words = f"{whose}: {counted_gpus(each.gpus)}"
        named = bool(each.team) and has_room
        parts.append(BarPart(each.holder, each.team, round(start, 2), width, words, named))
        start += width
    total = f"{counted_gpus(row.gpus_at_most)} at most, {counted_gpus(row.gpus_kept)} kept running"
    return PoolBar(
        parts=tuple(parts),
        kept=_percent(row.gpus_kept, scale),
        end=_percent(row.gpus_at_most, scale),
        aside=", ".join(each.team for each in parts if each.team and not each.is_labelled),
        who=", ".join(each.words.removeprefix("team ") for each in parts),
        words="; ".join((total, *(each.words for each in parts))),
    )


def _percent(gpus: Fraction, scale: Fraction) -> float:
    return round(float(100 * gpus / scale), 2) if scale else 0
