"""Which way of sharing is for one workload, and why no other is.

Of what isolation and hardware leave, the most pods on a GPU decide; of equals, what keeps more
apart.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from gpuplane.reports.recommendation.isolation import KINDS, words_of
from gpuplane.reports.recommendation.option import STATED, Option, judge
from gpuplane.reports.recommendation.rule import Refusal, Step
from gpuplane.reports.recommendation.target import Target
from gpuplane.reports.recommendation.workload import Workload
from gpus.sharing import SharingKind

_ALONE = "one pod has nobody to share with"


@dataclass(frozen=True, slots=True)
class Choice:
    """What is recommended for a workload."""

    name: str
    workload: Workload
    option: Option | None
    """None where the workload does not fit these nodes at all."""
    others: tuple[Option, ...]
    """What would do as well, but worse."""
    refusals: tuple[Refusal, ...]
    """Why every other way is not taken."""


def choose(
    name: str, workload: Workload, target: Target, ruled_out: Mapping[SharingKind, Refusal]
) -> Choice:
    """Return what is recommended for a workload on the nodes of a pool.

    `ruled_out` are ways of sharing that other pools do not allow beside them.
    """
    judged = [judge(kind, workload, target, ruled_out) for kind in KINDS]
    options = [each for each in judged if isinstance(each, Option)]
    refusals = [each for each in judged if isinstance(each, Refusal)]
    if not options:
        return Choice(name, workload, None, (), tuple(refusals))
    # Of equals, the first: the kinds are in the order of what they keep apart.
    best = max(options, key=lambda option: option.pods_per_gpu)
    others = tuple(option for option in options if option is not best)
    outdone = (_outdone(option, best) for option in others)
    return Choice(name, workload, best, others, (*refusals, *outdone))


def alone(choice: Choice) -> Choice:
    """Return the choice of a whole GPU for the only pod of a pool, which nobody would share."""
    whole = next((each for each in choice.others if each.kind is SharingKind.NONE), None)
    if whole is None or choice.option is None:
        return choice
    options = (choice.option, *choice.others)
    others = tuple(option for option in options if option is not whole)
    kinds = [option.kind for option in options]
    refusals = (
        *(each for each in choice.refusals if each.kind not in kinds),
        *(Refusal(each.kind, Step.PATTERN, _ALONE, STATED) for each in others),
    )
    return replace(choice, option=whole, others=others, refusals=refusals)


def _outdone(option: Option, best: Option) -> Refusal:
    here, there = option.pods_per_gpu, best.pods_per_gpu
    reason = f"{_counted(here)} on a GPU, and {float(there):g} by {words_of(best.kind)}"
    if here == there:
        reason = f"as many pods on a GPU as by {words_of(best.kind)}, which keeps more apart"
    return Refusal(option.kind, Step.PATTERN, reason, STATED)


def _counted(pods: Fraction) -> str:
    return f"{float(pods):g} {'pod' if pods == 1 else 'pods'}"
