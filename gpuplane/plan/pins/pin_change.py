"""The pins that differ between two versions of a cluster, each with its record."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from charts_py.objects.document import Document
from gpuplane.plan.effect import Verdict
from gpuplane.plan.pins.pin_record import Pin, PinKind, PinRecord, RecordedChange, committed_records
from gpuplane.versions.difference import PlacedDocuments
from gpuplane.versions.record import ReleaseRecord
from policies.document import value_at

_DRIVER_OF = "gpu-operator"
"""The chart whose values name the driver of NVIDIA's GPUs."""


@dataclass(frozen=True, slots=True)
class PinChange:
    """A pin that names another version."""

    pin: Pin
    old: str
    new: str
    changes: tuple[RecordedChange, ...] = ()
    """The recorded changes that matter to a cluster like this one, the worst first."""
    rollout: str | None = None
    """Says how it reaches what runs; None where no record says."""
    sources: tuple[str, ...] = ()

    @property
    def is_recorded(self) -> bool:
        return self.rollout is not None

    @property
    def verdict(self) -> Verdict:
        """The worst verdict. A chart's pods restart in any case; others apply CRDs."""
        least = Verdict.SAFE if self.pin.kind is PinKind.CRDS else Verdict.ROLLING
        return max((each.verdict for each in self.changes), default=least)


@dataclass(frozen=True, slots=True)
class PinnedSide:
    """One side of a comparison, with what names its pins."""

    documents: PlacedDocuments
    record: ReleaseRecord | None = None
    """None where the version has none, or one that cannot be read."""

    @property
    def versions(self) -> dict[Pin, str]:
        charts = _pinned_charts(self.documents)
        return {**pinned(charts.values()), **_pinned_crds(self.record)}


@dataclass(frozen=True, slots=True)
class PinnedChart:
    """A chart as an Application installs it."""

    name: str
    version: str
    values: Mapping[str, Any]

    def value(self, path: str) -> Any:
        """Return the value at a path such as `driver.enabled`; None where it is not set."""
        return value_at(self.values, path.split("."))


def pin_changes(
    old: PinnedSide, new: PinnedSide, own: Iterable[PinRecord] = ()
) -> Iterator[PinChange]:
    """Yield the pins that both sides have, with another version.

    A record of the platform repository comes before the one that gpuplane has.
    """
    known = (*own, *committed_records())
    charts = _pinned_charts(new.documents)
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


def _pinned_charts(documents: PlacedDocuments) -> dict[str, PinnedChart]:
    """Return the charts that Applications install, by name; all of them name the same version."""
    return {chart.name: chart for each in documents.values() for chart in _charts(each)}


def _charts(document: Document) -> Iterator[PinnedChart]:
    if document.get("kind") != "Application":
        return
    spec = document.get("spec") or {}
    for source in [*spec.get("sources", ()), *([spec["source"]] if "source" in spec else [])]:
        chart, version = source.get("chart"), source.get("targetRevision")
        if chart is not None and version is not None:
            # A chart of an OCI registry is named with its folders.
            name = str(chart).rpartition("/")[2]
            values = (source.get("helm") or {}).get("valuesObject") or {}
            yield PinnedChart(name, str(version), values)


def pinned(charts: Iterable[PinnedChart]) -> dict[Pin, str]:
    """Return the versions of charts, and of the driver that one of them installs."""
    found = {}
    for chart in charts:
        found[Pin(PinKind.CHART, chart.name)] = chart.version
        driver = chart.value("driver.version")
        if chart.name == _DRIVER_OF and chart.value("driver.enabled") and driver:
            found[Pin(PinKind.DRIVER, "nvidia")] = str(driver)
    return found


def _pinned_crds(record: ReleaseRecord | None) -> dict[Pin, str]:
    """Return the versions of the CRDs against which the objects of a version were validated."""
    found = {}
    for crds in record.crds if record else ():
        name, _, version = crds.source.rpartition(" ")
        found[Pin(PinKind.CRDS, name)] = version
    return found
