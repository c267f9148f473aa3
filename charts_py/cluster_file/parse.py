"""From the content of a cluster file to its model, with every fault at once."""

import copy
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.cluster_file.translation import ANY, move_of, names_unknown_key, translate
from policies.document import value_at


@cache
def placeholders() -> Mapping[FieldPath, Any]:
    """Return the rows of `placeholders.yaml` by path, with `ANY` for names and indices."""
    rows = yaml.safe_load((files(__package__) / "placeholders.yaml").read_text(encoding="utf-8"))
    return {tuple(path.split(".")): value for path, value in rows.items()}


@dataclass(frozen=True, slots=True)
class Parsed:
    """What could be read of a cluster file.

    The parts of `cluster` at the `cut` paths had problems; they are absent, or placeholders.
    """

    cluster: Cluster
    problems: tuple[Problem, ...]
    cut: frozenset[FieldPath]


def parse(content: Mapping[str, Any], numbers: Mapping[FieldPath, str] | None = None) -> Parsed:
    """Validate content against the model; parts with problems are cut out and the rest is kept.

    `numbers` are those of the content as they are written, and as problems show them.
    """
    remaining: dict[str, Any] = copy.deepcopy(dict(content))
    problems: list[Problem] = []
    cut: set[FieldPath] = set()
    misspelled: set[FieldPath] = set()
    while True:
        try:
            # Pydantic's strict mode accepts strings for enums and lists for tuples only from JSON.
            cluster = Cluster.model_validate_json(json.dumps(remaining), strict=True)
        except ValidationError as error:
            details = _judged(error.errors(include_url=False))
            found = [translate(each, numbers or {}) for each in details]
            misspelled |= set(_misspelled(details, found, remaining))
            known = cut | misspelled
            problems += [problem for problem in found if not _is_echo(problem, found, known)]
            for problem in found:
                _cut_out(remaining, problem.path, cut)
        else:
            return Parsed(cluster, tuple(problems), frozenset(cut | misspelled))


def _judged(details: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Return the errors, except those that follow from an unknown name above their values."""
    unknown = {each["loc"][:-1] for each in details if names_unknown_key(each)}
    return [
        each
        for each in details
        if names_unknown_key(each) or not any(each["loc"][: len(u)] == u for u in unknown)
    ]


def _misspelled(
    errors: Sequence[ErrorDetails], found: Sequence[Problem], content: dict[str, Any]
) -> Iterator[FieldPath]:
    """Yield the paths of absent fields that an unknown field has moved to or is misspelt for."""
    for details, problem in zip(errors, found, strict=True):
        if move := move_of(problem.path):
            yield move.to
        elif details["type"] == "extra_forbidden" and problem.nearest:
            *holder, _ = problem.path
            holding: Any = value_at(content, holder)
            if problem.nearest[0] not in holding:
                yield (*holder, *problem.nearest[0].split("."))


def _is_echo(problem: Problem, found: Sequence[Problem], cut: Set[FieldPath]) -> bool:
    """Return whether a problem only follows from one inside it, as for a list whose items all fail.

    So does one at a path that was cut before.
    """
    path, depth = problem.path, len(problem.path)
    inside = (other.path for other in found if len(other.path) > depth)
    return any(other[:depth] == path for other in (*cut, *inside))


def _cut_out(content: dict[str, Any], path: FieldPath, cut: set[FieldPath]) -> None:
    """Replace the value at a path with its placeholder; or remove it, or else what holds it.

    A value that was cut before and is still wrong is removed with what holds it, so that each round
    makes progress. It ends, since the root's fields all have valid placeholders.
    """
    for length in range(len(path), 0, -1):
        place, step = path[:length], path[length - 1]
        if length < len(path) and place in cut:
            return
        holder: Any = value_at(content, place[:-1])
        replacement = placeholder_at(place) if place not in cut else None
        if replacement is not None and isinstance(holder, (dict, list)):
            holder[step] = replacement  # type: ignore[index]  # the steps into a list are its indices
        elif isinstance(holder, dict) and step in holder:
            del holder[step]
        else:
            continue
        cut.add(place)
        return


def placeholder_at(path: FieldPath) -> Any:
    """Return the placeholder for a path; None where a value may be absent."""
    for pattern, value in placeholders().items():
        if len(pattern) == len(path) and all(
            expected in (ANY, step) for expected, step in zip(pattern, path, strict=True)
        ):
            return copy.deepcopy(value)
    return None
