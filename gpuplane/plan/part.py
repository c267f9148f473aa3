"""A part of a plan: objects that change in the same way, each reason once, or tables."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from gpuplane.plan.effect import Change, PlannedObject, Verdict
from gpuplane.tables import Table
from policies.document import few

SIGNS = {Change.ADDED: "+", Change.CHANGED: "~", Change.REMOVED: "-", Change.UPGRADED: "="}


@dataclass(frozen=True, slots=True)
class ReportedEffect:
    """A reason, and the fields that it is of."""

    fields: tuple[str, ...]
    reason: str
    source: str
    doubt: str
    """Says how sure the reason is, where it was not read in the source."""

    def __str__(self) -> str:
        return f"{self.named}: {self.said}" if self.fields else self.said

    @property
    def named(self) -> str:
        """The fields, of many only the first; empty for the object as a whole."""
        return few(self.fields)

    @property
    def said(self) -> str:
        return f"{self.reason}{self.doubt}"


@dataclass(frozen=True, slots=True)
class ReportedObjects:
    """Objects of a kind that change in the same way."""

    change: Change
    verdict: Verdict
    component: str
    kind: str
    names: tuple[str, ...]
    """Names with their namespaces."""
    effects: tuple[ReportedEffect, ...]

    def __str__(self) -> str:
        return f"{self.component}: {self.kind} {', '.join(self.names)}"


@dataclass(frozen=True, slots=True)
class Part:
    """Objects or tables under a heading, and what to do about them."""

    title: str
    objects: tuple[ReportedObjects, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    """Full sentences."""
    commands: tuple[str, ...] = ()
    """Commands to run next, as a shell reads them."""
    is_detail: bool = False
    """Whether readers open the part themselves, where the format can fold it."""
    steps: tuple[str, ...] = ()
    """What to do, one after the other, in full sentences."""


def reported_objects(planned: Iterable[PlannedObject]) -> Iterator[ReportedObjects]:
    """Yield neighbours that change in the same way as one."""
    alone = (
        ReportedObjects(
            one.change,
            one.verdict,
            one.placed.component,
            one.placed.key.kind,
            (str(one.placed.key).partition(" ")[2],),
            tuple(_reported_effects(one)),
        )
        for one in planned
    )
    for first, group in groupby(alone, lambda each: replace(each, names=())):
        yield replace(first, names=tuple(name for each in group for name in each.names))


def _reported_effects(planned: PlannedObject) -> Iterator[ReportedEffect]:
    fields: dict[tuple[str, str, str], list[str]] = {}
    for each in planned.effects:
        if not each.is_noise:
            doubt = "" if each.is_certain else " (likely)"
            if not each.is_known:
                doubt = " (a guess: nothing is known about it)"
            key = (each.reason, each.source, doubt)
            fields.setdefault(key, []).extend([each.field] if each.field else [])
    for (reason, source, doubt), found in fields.items():
        yield ReportedEffect(tuple(dict.fromkeys(found)), reason, source, doubt)


def object_lines(objects: ReportedObjects) -> Iterator[str]:
    yield f"{SIGNS[objects.change]} {objects.verdict.word}: {objects}"
    for each in objects.effects:
        source = f" [{each.source}]" if each.source else ""
        yield f"    {each}{source}"
