"""The pins that differ between two versions of a cluster, each with its record."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from gpuplane.plan.pins.pin_record import PinRecord, RecordedChange, committed_records
from gpuplane.plan.pins.pinned import Pin, PinKind, PinnedChart, pinned, pinned_charts, pinned_crds
from gpuplane.plan.verdict import Verdict
from gpuplane.versions.difference import PlacedDocuments
from gpuplane.versions.record import ReleaseRecord


@dataclass(frozen=True, slots=True)
class PinChange:
    """A pin that names another version."""

    pin: Pin
    old: str
    new: str
    changes: tuple[RecordedChange, ...] = ()
    """What its record says of a cluster like this one, the worst first."""
    rollout: str | None = None
    """How it reaches what runs; None where no record says."""
    sources: tuple[str, ...] = ()

    @property
    def is_recorded(self) -> bool:
        """Whether a record says what it does."""
        return self.rollout is not None

    @property
    def verdict(self) -> Verdict:
        """The worst that it does. A chart's pods restart in any case; CRDs are others' to apply."""
        least = Verdict.SAFE if self.pin.kind is PinKind.CRDS else Verdict.ROLLING
        return max((each.verdict for each in self.changes), default=least)


@dataclass(frozen=True, slots=True)
class PinnedSide:
    """Where a version names its pins."""

    documents: PlacedDocuments
    record: ReleaseRecord | None = None
    """None where it has none, or one that cannot be read."""

    @property
    def versions(self) -> dict[Pin, str]:
        """The versions, by pin."""
        charts = pinned_charts(self.documents)
        return {**pinned(charts.values()), **pinned_crds(self.record)}


def pin_changes(
    old: PinnedSide, new: PinnedSide, own: Iterable[PinRecord] = ()
) -> Iterator[PinChange]:
    """Yield the pins that both sides have, with another version.

    A record of the platform repository's own comes before the one that gpuplane has.
    """
    known = (*own, *committed_records())
    charts = pinned_charts(new.documents)
    before, after = old.versions, new.versions
    for pin in sorted(before.keys() & after.keys()):
        if before[pin] != after[pin]:
            change = PinChange(pin, before[pin], after[pin])
            yield _recorded(change, known, charts.get(pin.name))


def _recorded(
    change: PinChange, records: Iterable[PinRecord], chart: PinnedChart | None
) -> PinChange:
    for record in records:
        if record.bump == (change.pin, change.old, change.new):
            matters = (each for each in record.changes if _matters(each, chart))
            return replace(
                change, changes=tuple(matters), rollout=record.rollout, sources=record.sources
            )
    return change


def _matters(change: RecordedChange, chart: PinnedChart | None) -> bool:
    if chart is None:
        return True
    if change.unless is not None and chart.value(change.unless):
        return False
    return change.needs is None or bool(chart.value(change.needs))
