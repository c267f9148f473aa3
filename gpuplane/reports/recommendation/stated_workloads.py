"""Workloads as a file or the arguments of a command state them."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from charts_py.cluster_file.fault import Fault, FieldPath, Problem, SpecError, mark_at
from charts_py.cluster_file.source import read_source
from charts_py.cluster_file.translation import translate
from charts_py.platform.render_error import RenderError
from gpuplane.reports.recommendation.workload import Workload, Workloads


def read_workloads(file: Path) -> Mapping[str, Workload]:
    """Read a file of workloads by name; raise SpecError with every fault, OSError without it."""
    source = read_source(file, str(file))
    if source.content is None or source.faults:
        raise SpecError(source.faults)
    try:
        return _validated(source.content)
    except ValidationError as error:
        problems = _problems_of(error, source.numbers)
        faults = [Fault(mark_at(problem.path, source.marks), problem) for problem in problems]
        raise SpecError(faults) from error


def given_workload(name: str, fields: Mapping[str, Any]) -> Mapping[str, Workload]:
    """Return the workload that options state; raise RenderError with all that is wrong with it."""
    try:
        return _validated({"workloads": {name: dict(fields)}})
    except ValidationError as error:
        lines = (str(_as_option(problem)) for problem in _problems_of(error, {}))
        raise RenderError("\n".join(lines)) from error


def _validated(content: Mapping[str, Any]) -> Mapping[str, Workload]:
    # Strict: text is not a number. It accepts strings for enums only from JSON.
    return Workloads.model_validate_json(json.dumps(content), strict=True).workloads


def _problems_of(error: ValidationError, numbers: Mapping[FieldPath, str]) -> tuple[Problem, ...]:
    details = error.errors(include_url=False)
    return tuple(translate(each, numbers, Workloads) for each in details)


def _as_option(problem: Problem) -> str:
    """Return a problem that names the option instead of the field."""
    field = str(problem.path[-1])
    option = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in field)
    return f"--{option}: {Problem((), problem.what, problem.allowed, problem.nearest)}"
