"""Which of the values that nobody stated decide how GPUs are shared."""

from collections.abc import Iterator
from typing import Any

from gpuplane.reports.recommendation.recommendation import Choice, Recommendation, recommend
from gpuplane.reports.recommendation.rule import ways
from gpuplane.reports.recommendation.target import Target
from gpuplane.reports.recommendation.workload import Latency, Stage, Trust, Workload
from gpus.sharing import SharingKind

_SEVERAL = 8
"""Pods, of which several can be on a GPU."""


def assumption_notes(recommendation: Recommendation) -> Iterator[str]:
    """Yield, for each workload, what was assumed and what would change that."""
    for choice in recommendation.choices:
        yield from _notes(choice, recommendation.target)


def _notes(choice: Choice, target: Target) -> Iterator[str]:
    assumed = _assumed(choice.workload)
    found = {field: _kind(choice, target, {field: assumed[field]}) for field in assumed}
    own = choice.option.kind if choice.option else None
    decisive = {field: kind for field, kind in found.items() if kind not in (None, own)}
    for field, kind in decisive.items():
        yield f"{_said(choice, field)} With {field} {_text(assumed[field])}: {_words(kind)}."
    together = _kind(choice, target, assumed)
    if assumed and not decisive and together not in (None, own):
        least = ", ".join(f"{field} {_text(value)}" for field, value in assumed.items())
        taken = ", ".join(f"{field} {_text(getattr(choice.workload, field))}" for field in assumed)
        yield (
            f"{choice.name}: assumed are {taken}. With {least} instead it would be "
            f"{_words(together)}."
        )


def _said(choice: Choice, field: str) -> str:
    stated = _text(getattr(choice.workload, field))
    return f"{choice.name}: {field} {stated} is assumed, and decides."


def _assumed(workload: Workload) -> dict[str, Any]:
    """Return fields that are not stated, each with the value that asks the least of a GPU."""
    least = {
        "peak": workload.average,
        "pods": _SEVERAL,
        "latency": Latency.NONE,
        "stage": Stage.DEVELOPMENT,
        "trust": Trust.TEAM,
    }
    return {name: each for name, each in least.items() if name not in workload.model_fields_set}


def _kind(choice: Choice, target: Target, changed: dict[str, Any]) -> SharingKind | None:
    workload = choice.workload.model_copy(update=changed)
    (found,) = recommend({choice.name: workload}, target).choices
    return found.option.kind if found.option else None


def _words(kind: SharingKind | None) -> str:
    return ways()[kind].words if kind else "nothing"


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
