"""From the content of a cluster file to its model, with every fault at once."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from charts_py.spec.cluster import Cluster
from charts_py.spec.fault import FieldPath, Problem
from charts_py.spec.translation import translate

_STAND_INS: Mapping[str, Any] = {
    "region": "unknown",
    "kubernetes": "1.36",
    "version": "0.0.0",
    "gitops": {"repository": "https://unknown"},
    "purpose": "training",
    "nodes": {"max": 1},
    "owner": "unknown@unknown",
    "costCenter": "unknown",
    "members": {},
}
"""For required fields that stand for themselves, so that one missing version does not hide a MIG
layout that does not fit."""

_MOST_ROUNDS = 20
"""Each round cuts at least one level of every fault, and the model is not that deep."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What could be read of a cluster file.

    `cluster` lacks the parts at the `cut` paths, which had problems; it is None where too little
    is left to check.
    """

    cluster: Cluster | None
    problems: tuple[Problem, ...]
    cut: frozenset[FieldPath]

    def is_cut(self, path: FieldPath) -> bool:
        """Tell whether what stands at a path, or holds it, could not be read."""
        return any(path[: len(cut)] == cut for cut in self.cut)


def parse(content: Mapping[str, Any]) -> Parsed:
    """Validate content against the model; parts with problems are cut out and the rest is kept."""
    remaining: dict[str, Any] = copy.deepcopy(dict(content))
    problems: list[Problem] = []
    cut: set[FieldPath] = set()
    for _ in range(_MOST_ROUNDS):
        try:
            cluster = Cluster.model_validate(remaining)
        except ValidationError as error:
            found = [translate(details) for details in error.errors()]
            problems += [problem for problem in found if not _follows_from(problem.path, cut)]
            changed = [_cut_out(remaining, problem.path, cut) for problem in found]
            if not all(changed):
                return Parsed(None, tuple(problems), frozenset(cut))
        else:
            return Parsed(cluster, tuple(problems), frozenset(cut))
    return Parsed(None, tuple(problems), frozenset(cut))


def _follows_from(path: FieldPath, cut: set[FieldPath]) -> bool:
    """Tell whether something inside or at `path` was cut, so that its fault is an echo."""
    return any(gone[: len(path)] == path for gone in cut)


def _cut_out(content: dict[str, Any], path: FieldPath, cut: set[FieldPath]) -> bool:
    """Remove what stands at a path, or else what holds it; a list is removed as a whole.

    Returns whether the content changed.
    """
    while path:
        holder, step = _at(content, path[:-1]), path[-1]
        if isinstance(holder, dict) and (step in holder or step in _STAND_INS):
            cut.add(path)
            holder.pop(step, None)
            if step in _STAND_INS:
                holder[step] = copy.deepcopy(_STAND_INS[str(step)])
            return True
        path = path[:-1]
    return False


def _at(content: Any, path: FieldPath) -> Any:
    for step in path:
        if not isinstance(content, (dict, list)):
            return None
        try:
            content = content[step]  # type: ignore[index]  # a list holds int steps by construction
        except (KeyError, IndexError):
            return None
    return content
