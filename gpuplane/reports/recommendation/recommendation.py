"""What is recommended for workloads on the nodes of a pool, and what it saves."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from charts_py.platform.pool_price import NoPrice, Price
from gpuplane.reports.recommendation.footprint import Footprint, added, shared, whole
from gpuplane.reports.recommendation.option import STATED, Option, judge, refused_by_checks
from gpuplane.reports.recommendation.rule import KINDS, Refusal, Step, words_of
from gpuplane.reports.recommendation.target import Target
from gpuplane.reports.recommendation.workload import Workload
from gpus.sharing import Sharing, SharingKind

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


@dataclass(frozen=True, slots=True)
class Layout:
    """Nodes whose GPUs are shared in one way, for the workloads that it is best for."""

    option: Option
    workloads: tuple[str, ...]
    before: Footprint
    """Where each pod holds whole GPUs."""
    after: Footprint


@dataclass(frozen=True, slots=True)
class Recommendation:
    """How the GPUs of a pool are best shared."""

    target: Target
    choices: tuple[Choice, ...]
    layouts: tuple[Layout, ...]
    """One a way of sharing: a pool has one, so that each further one needs a pool of its own."""
    before: Footprint
    after: Footprint

    @property
    def price(self) -> Price | None:
        """What a node costs; None where that is not known."""
        price = self.target.price
        return None if isinstance(price, NoPrice) else price


def recommend(workloads: Mapping[str, Workload], target: Target) -> Recommendation:
    """Return what is recommended for the workloads, in their order."""
    choices = _choices(workloads, target, {})
    if ruled_out := _refused_together(choices, target):
        choices = _choices(workloads, target, ruled_out)
    gpus = target.hardware.gpus
    layouts = tuple(_layouts(choices, gpus))
    fitting = (choice.workload for choice in choices if choice.option is not None)
    return Recommendation(
        target=target,
        choices=choices,
        layouts=layouts,
        before=whole(fitting, gpus),
        after=added((layout.after for layout in layouts), gpus),
    )


def _choices(
    workloads: Mapping[str, Workload], target: Target, ruled_out: Mapping[SharingKind, Refusal]
) -> tuple[Choice, ...]:
    found = (choose(name, each, target, ruled_out) for name, each in workloads.items())
    return tuple(_settled(found))


def _refused_together(choices: Iterable[Choice], target: Target) -> dict[SharingKind, Refusal]:
    """Return the ways of sharing that the pools of the others do not allow beside them."""
    sharings = (choice.option.sharing for choice in choices if choice.option is not None)
    problem = target.mps_problem(tuple(dict.fromkeys(sharings)))
    return {SharingKind.MPS: refused_by_checks(SharingKind.MPS, problem)} if problem else {}


def _settled(choices: Iterable[Choice]) -> Iterator[Choice]:
    """Yield the choices, with a whole GPU for a pod that would be the only one to share its."""
    choices = tuple(choices)
    for choice in choices:
        alike = [each for each in choices if _sharing(each) == _sharing(choice)]
        only = sum(each.workload.pods for each in alike) == 1
        yield alone(choice) if only else choice


def _sharing(choice: Choice) -> Sharing | None:
    return choice.option.sharing if choice.option else None


def _layouts(choices: Iterable[Choice], gpus: int) -> Iterator[Layout]:
    by_sharing: dict[Sharing, list[tuple[Option, Choice]]] = {}
    for choice in choices:
        if choice.option is not None:
            found = by_sharing.setdefault(choice.option.sharing, [])
            found.append((choice.option, choice))
    for chosen in by_sharing.values():
        yield _layout(chosen[0][0], [choice for _, choice in chosen], gpus)


def _layout(option: Option, choices: Iterable[Choice], gpus: int) -> Layout:
    choices = tuple(choices)
    workloads = tuple(choice.workload for choice in choices)
    before = whole(workloads, gpus)
    is_whole = option.kind is SharingKind.NONE
    return Layout(
        option=option,
        workloads=tuple(choice.name for choice in choices),
        before=before,
        after=before if is_whole else shared(workloads, option.facts),
    )


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
