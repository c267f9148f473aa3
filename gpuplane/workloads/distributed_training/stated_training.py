"""A DistributedTraining as a file states it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from charts_py.cluster_file.distributed_training import DistributedTraining
from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem, SpecError, mark_at
from charts_py.cluster_file.source import read_source
from charts_py.cluster_file.translation import translate


@dataclass(frozen=True, slots=True)
class StatedTraining:
    """What a file states, and on which line."""

    training: DistributedTraining
    marks: Mapping[FieldPath, Mark]

    def fault(self, problem: Problem) -> Fault:
        """Return a problem with its line."""
        return Fault(mark_at(problem.path, self.marks), problem)


def read_training(file: Path) -> StatedTraining:
    """Read a file; raise SpecError with every fault, OSError where it cannot be opened."""
    source = read_source(file, str(file))
    if source.content is None or source.faults:
        raise SpecError(source.faults)
    try:
        # Strict: text is not a number. It accepts strings for enums only from JSON.
        text = json.dumps(source.content)
        training = DistributedTraining.model_validate_json(text, strict=True)
    except ValidationError as error:
        details = error.errors(include_url=False)
        problems = [translate(each, source.numbers, DistributedTraining) for each in details]
        faults = [Fault(mark_at(problem.path, source.marks), problem) for problem in problems]
        raise SpecError(faults) from error
    return StatedTraining(training, source.marks)
