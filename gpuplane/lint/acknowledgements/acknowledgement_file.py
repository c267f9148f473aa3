"""Where acknowledgements stand, and reading them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError, mark_at
from charts_py.cluster_file.source import Source, source_of
from charts_py.cluster_file.translation import translate
from gpuplane.lint.acknowledgements.acknowledgement import Acknowledgement, Acknowledgements
from gpuplane.lint.rule_names import RuleNames


@dataclass(frozen=True, slots=True)
class AcknowledgedRow:
    """A row, and where it stands."""

    mark: Mark
    row: Acknowledgement


def read_acknowledgements(file: Path, names: RuleNames) -> tuple[AcknowledgedRow, ...]:
    """Read the rows of a file; raise SpecError with every fault, OSError without it."""
    return rows_of(file.read_bytes(), str(file), names)


def rows_of(content: bytes, shown_as: str, names: RuleNames) -> tuple[AcknowledgedRow, ...]:
    """Read rows as `read_acknowledgements` does, from what a file holds."""
    source = source_of(content, shown_as)
    if source.content is None or source.faults:
        raise SpecError(source.faults)
    try:
        # Strict: text is not a number. It accepts dates and lists for tuples only from JSON.
        read = Acknowledgements.model_validate_json(json.dumps(source.content), strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False)
        problems = (translate(each, source.numbers, Acknowledgements) for each in details)
        raise SpecError(_faults(problems, source)) from error
    faults = [*_faults(_unknown_rules(read.acknowledged, names), source)]
    if faults:
        raise SpecError(faults)
    marks = (source.marks["acknowledged", index] for index in range(len(read.acknowledged)))
    return tuple(map(AcknowledgedRow, marks, read.acknowledged))


def _faults(problems: Iterable[Problem], source: Source) -> Iterator[Fault]:
    return (Fault(mark_at(each.path, source.marks), each) for each in problems)


def _unknown_rules(rows: Iterable[Acknowledgement], names: RuleNames) -> Iterator[Problem]:
    allowed = names.ignorable
    for index, row in enumerate(rows):
        if row.rule not in allowed:
            path = ("acknowledged", index, "rule")
            what = f'"{row.rule}" is not a rule of the linter that can be acknowledged'
            yield Problem(path, what, ", ".join(allowed), names.nearest(row.rule))
