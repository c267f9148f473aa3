"""The pins that differ between two versions of a cluster, each with its record."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from charts_py.cluster_file.cluster_files import link_problem, repository_folder
from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from charts_py.cluster_file.source import source_of
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.translation import validated
from gpuplane.plan.effect import Verdict, VerdictWord
from gpuplane.versions.comparison import PlacedDocuments
from gpuplane.versions.record import ReleaseRecord
from policies.document import members, value_at

FOLDER = "pin-records"
"""The folder of the records of a platform repository, beside `clusters/`."""


class PinKind(StrEnum):
    """The kinds of things that have a version."""

    CHART = "chart"
    DRIVER = "driver"
    CRDS = "CRDs"


@dataclass(frozen=True, slots=True, order=True)
class Pin:
    """Has a version: `chart gpu-operator`, `driver nvidia`, `CRDs kubernetes-sigs/kueue`."""

    kind: PinKind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


_Words = Annotated[str, Field(min_length=1)]
_Sentences = Annotated[_Words, AfterValidator(str.strip)]
_Address = Annotated[str, Field(pattern="^https://")]


class RecordedChange(StrictModel):
    """One thing that a bump changes."""

    what: _Sentences
    """A full sentence."""
    word: VerdictWord = Field(alias="verdict")
    needs: _Words | None = None
    """The change does not matter without this value of the chart, such as `driver.enabled`."""
    unless: _Words | None = None
    """The change does not matter with this value of the chart, such as `driver.version`."""

    @property
    def verdict(self) -> Verdict:
        return Verdict[self.word.name]

    def matters(self, values: Mapping[str, Any] | None) -> bool:
        """Say whether it matters to a chart with these values; None where they are not known."""
        if values is None:
            return True
        if self.unless is not None and value_at(values, self.unless.split(".")):
            return False
        return self.needs is None or bool(value_at(values, self.needs.split(".")))


class PinRecord(StrictModel):
    """A record of what one change of a pin does."""

    kind: PinKind
    name: _Words
    """The name of a chart, `nvidia` for a driver, or owner and repository of CRDs."""
    old: _Words = Field(alias="from")
    new: _Words = Field(alias="to")
    changes: Annotated[
        tuple[RecordedChange, ...],
        Field(min_length=1),
        AfterValidator(lambda found: tuple(sorted(found, key=lambda each: -each.verdict))),
    ]
    rollout: _Sentences
    """Full sentences that say how it reaches what runs."""
    sources: Annotated[tuple[_Address, ...], Field(min_length=1)]

    @property
    def pin(self) -> Pin:
        return Pin(self.kind, self.name)

    @property
    def bump(self) -> tuple[Pin, str, str]:
        return self.pin, self.old, self.new


DRIVER_OF = "gpu-operator"
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
        """The versions of charts, drivers and CRDs; objects were validated against the last."""
        charts = pinned(_pinned_charts(self.documents).values())
        crds = (each.source.rpartition(" ") for each in (self.record.crds if self.record else ()))
        return {**charts, **{Pin(PinKind.CRDS, name): version for name, _, version in crds}}


@dataclass(frozen=True, slots=True)
class PinnedChart:
    """A chart as an Application installs it."""

    name: str
    version: str
    values: Mapping[str, Any]


def pin_changes(
    old: PinnedSide, new: PinnedSide, own: Iterable[PinRecord] = ()
) -> Iterator[PinChange]:
    """Yield the pins that both sides have, with another version."""
    charts = _pinned_charts(new.documents)
    before, after = old.versions, new.versions
    for pin in sorted(before.keys() & after.keys()):
        if before[pin] != after[pin]:
            bump = (pin, before[pin], after[pin])
            record = record_of(*bump, own)
            if record is None:
                yield PinChange(*bump)
                continue
            values = charts[pin.name].values if pin.name in charts else None
            matters = (each for each in record.changes if each.matters(values))
            yield PinChange(*bump, tuple(matters), record.rollout, record.sources)


def _pinned_charts(documents: PlacedDocuments) -> dict[str, PinnedChart]:
    """Return the charts that Applications install, by name; all of them name the same version."""
    found = {}
    for document in documents.values():
        spec = document.get("spec") or {}
        if document.get("kind") != "Application":
            continue
        for source in [*spec.get("sources", ()), *([spec["source"]] if "source" in spec else [])]:
            chart, version = source.get("chart"), source.get("targetRevision")
            if chart is not None and version is not None:
                # A chart of an OCI registry is named with its folders.
                name = str(chart).rpartition("/")[2]
                values = (source.get("helm") or {}).get("valuesObject") or {}
                found[name] = PinnedChart(name, str(version), values)
    return found


def pinned(charts: Iterable[PinnedChart]) -> dict[Pin, str]:
    """Return the versions of charts, and of the driver that one of them installs."""
    found = {}
    for chart in charts:
        found[Pin(PinKind.CHART, chart.name)] = chart.version
        driver = members(chart.values.get("driver"))
        if chart.name == DRIVER_OF and driver.get("enabled") and driver.get("version"):
            found[Pin(PinKind.DRIVER, "nvidia")] = str(driver["version"])
    return found


@cache
def committed_records() -> tuple[PinRecord, ...]:
    """Return the records that gpuplane has, sorted; raise SpecError where one is malformed."""
    folder = files(__package__) / "pins"
    found = sorted((one for one in folder.iterdir() if one.name.endswith(".yaml")), key=str)
    return tuple(read_record(one.read_bytes(), one.name) for one in found)


def record_of(pin: Pin, old: str, new: str, own: Iterable[PinRecord]) -> PinRecord | None:
    """Return the record of a bump; one of the platform repository comes first."""
    known = (*own, *committed_records())
    return next((each for each in known if each.bump == (pin, old, new)), None)


def records_of(folder: Path) -> tuple[PinRecord, ...]:
    """Return the records of a platform repository, sorted; none where it has no such folder.

    Raises SpecError for those that are malformed, for links out of the repository, and for a second
    one of the same bump.
    """
    files = sorted(folder.glob("*.yaml"))
    repository = repository_folder(folder)
    problems = {file: link_problem(file, repository) for file in (folder, *files)}
    if faults := [Fault(Mark(str(file), 1), each) for file, each in problems.items() if each]:
        raise SpecError(faults)
    written = {file: file.read_bytes() for file in files}
    records = {file: read_record(content, str(file)) for file, content in written.items()}
    first: dict[tuple[Pin, str, str], Path] = {}
    for file, record in records.items():
        if (other := first.setdefault(record.bump, file)) is not file:
            bump = f"{record.pin} from {record.old} to {record.new}"
            what = f"a second record of {bump}, as in {other.name}"
            raise SpecError([Fault(Mark(str(file), 1), Problem((), what, allowed="one of each"))])
    return tuple(records.values())


def read_record(content: bytes, shown_as: str) -> PinRecord:
    """Return the record that a file holds; raise SpecError with every fault of it."""
    return validated(source_of(content, shown_as), PinRecord)
