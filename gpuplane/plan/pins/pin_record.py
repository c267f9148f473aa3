"""Reads the record of one change of a pin: what changes, and how that is rolled out."""

import json
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field, ValidationError

from charts_py.cluster_file.cluster_files import checkout_folder, link_problem
from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError, mark_at
from charts_py.cluster_file.source import source_of
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.translation import translate
from gpuplane.plan.effect import Verdict, VerdictWord

FOLDER = "pin-records"
"""The folder of the records of a platform repository, beside `clusters/`."""


class PinKind(StrEnum):
    """The kinds of what has a version."""

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
        return self.word.verdict


def _worst_first(changes: tuple[RecordedChange, ...]) -> tuple[RecordedChange, ...]:
    return tuple(sorted(changes, key=lambda each: -each.verdict))


class PinRecord(StrictModel):
    """A record of what one change of a pin does."""

    kind: PinKind
    name: _Words
    """The name of a chart, `nvidia` for a driver, or owner and repository of CRDs."""
    old: _Words = Field(alias="from")
    new: _Words = Field(alias="to")
    changes: Annotated[
        tuple[RecordedChange, ...], Field(min_length=1), AfterValidator(_worst_first)
    ]
    rollout: _Sentences
    """Full sentences that say how it reaches what runs."""
    sources: Annotated[tuple[_Address, ...], Field(min_length=1)]
    """URLs at the versions that were compared."""

    @property
    def pin(self) -> Pin:
        return Pin(self.kind, self.name)

    @property
    def bump(self) -> tuple[Pin, str, str]:
        return self.pin, self.old, self.new


@cache
def committed_records() -> tuple[PinRecord, ...]:
    """Return the records in this folder, sorted; raise SpecError where one is malformed."""
    folder = files(__package__)
    found = sorted((one for one in folder.iterdir() if one.name.endswith(".yaml")), key=str)
    return tuple(read_record(one.read_bytes(), one.name) for one in found)


def records_of(folder: Path) -> tuple[PinRecord, ...]:
    """Return the records of a platform repository, sorted; none where it has no such folder.

    Raises SpecError for those that are malformed, for links out of the repository, and for a second
    one of the same bump.
    """
    files = sorted(folder.glob("*.yaml"))
    repository = checkout_folder(folder.parent) or folder.parent.resolve()
    problems = {file: link_problem(file, repository) for file in (folder, *files)}
    if faults := [Fault(Mark(str(file), 1), each) for file, each in problems.items() if each]:
        raise SpecError(faults)
    written = {file: file.read_bytes() for file in files}
    records = {file: read_record(content, str(file)) for file, content in written.items()}
    first: dict[tuple[Pin, str, str], Path] = {}
    for file, record in records.items():
        if (other := first.setdefault(record.bump, file)) is not file:
            raise SpecError([_second(file, record, other)])
    return tuple(records.values())


def _second(file: Path, record: PinRecord, other: Path) -> Fault:
    what = f"a second record of {record.pin} from {record.old} to {record.new}, as in {other.name}"
    return Fault(Mark(str(file), 1), Problem((), what, allowed="one of each"))


def read_record(content: bytes, shown_as: str) -> PinRecord:
    """Return the record that a file holds; raise SpecError with every fault of it."""
    source = source_of(content, shown_as)
    if source.content is None or source.faults:
        raise SpecError(source.faults)
    try:
        # Strict: a version such as 1.10 is text, not a number. From JSON alone lists are tuples.
        return PinRecord.model_validate_json(json.dumps(source.content), strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False)
        problems = (translate(each, source.numbers, PinRecord) for each in details)
        raise SpecError(
            Fault(mark_at(each.path, source.marks), each) for each in problems
        ) from error
