"""What is recommended for workloads on the nodes of a pool, and what it saves."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from charts_py.platform.pool_price import NoPrice, Price
from gpuplane.reports.recommendation.choice import Choice, alone, choose
from gpuplane.reports.recommendation.footprint import Footprint, added, shared, whole
from gpuplane.reports.recommendation.option import Option, refused_by_checks
from gpuplane.reports.recommendation.rule import Refusal
from gpuplane.reports.recommendation.target import Target
from gpuplane.reports.recommendation.workload import Workload
from gpus.sharing import Sharing, SharingKind


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
    workloads: Mapping[str, Workload],
    target: Target,
    ruled_out: Mapping[SharingKind, Refusal],
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
