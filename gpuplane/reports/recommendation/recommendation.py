"""What is recommended for workloads on the nodes of a pool, and what it saves.

Utilization is GPU compute in use over the GPU compute of all nodes that are powered, as the
evidence measures it (docs/evidence.md).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from charts_py.platform.pool_price import HOURS_OF_A_MONTH, NoPrice, Price
from gpuplane.reports.recommendation.option import STATED, Option, judge, refused_by_checks
from gpuplane.reports.recommendation.rule import Refusal, Step, ways
from gpuplane.reports.recommendation.target import Target
from gpuplane.reports.recommendation.workload import Workload
from gpus.pool_facts import PoolFacts
from gpus.sharing import Sharing, SharingKind

_ALONE = "one pod has nobody to share with"


@dataclass(frozen=True, slots=True)
class Footprint:
    """The GPUs and nodes that pods take."""

    gpus: int
    """GPUs that some pod holds, or a part of."""
    nodes: int
    gpus_per_node: int
    in_use: Fraction
    """The compute in use on average, in GPUs."""

    @property
    def utilization(self) -> Fraction:
        """Compute in use over the compute of all nodes; 0 without any."""
        return self.in_use / max(self.nodes * self.gpus_per_node, 1)


@dataclass(frozen=True, slots=True)
class Choice:
    name: str
    workload: Workload
    option: Option | None
    """None where the workload does not fit these nodes at all."""
    others: tuple[Option, ...]
    """What would do as well, but worse."""
    refusals: tuple[Refusal, ...]
    """Why every other way is not taken."""

    @property
    def sharing(self) -> Sharing | None:
        return self.option.sharing if self.option else None


@dataclass(frozen=True, slots=True)
class Layout:
    """Nodes whose GPUs are shared in one way, for the workloads that it is best for."""

    option: Option
    workloads: tuple[str, ...]
    before: Footprint
    """The footprint where each pod holds whole GPUs."""
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
        price = self.target.price
        return None if isinstance(price, NoPrice) else price


def recommend(workloads: Mapping[str, Workload], target: Target) -> Recommendation:
    choices = _choices(workloads, target, {})
    if ruled_out := _refused_together(choices, target):
        choices = _choices(workloads, target, ruled_out)
    gpus = target.hardware.gpus
    layouts = tuple(_layouts(choices, gpus))
    fitting = [choice.workload for choice in choices if choice.option is not None]
    return Recommendation(
        target=target,
        choices=choices,
        layouts=layouts,
        before=whole(fitting, gpus),
        after=added([layout.after for layout in layouts], gpus),
    )


def _choices(
    workloads: Mapping[str, Workload], target: Target, ruled_out: Mapping[SharingKind, Refusal]
) -> tuple[Choice, ...]:
    """Choose for each workload; a pod that would be the only one on its GPU gets all of it."""
    choices = [choose(name, each, target, ruled_out) for name, each in workloads.items()]
    pods = Counter[Sharing | None]()
    for choice in choices:
        pods[choice.sharing] += choice.workload.pods
    return tuple(alone(each) if pods[each.sharing] == 1 else each for each in choices)


def _refused_together(choices: Iterable[Choice], target: Target) -> dict[SharingKind, Refusal]:
    """Return the ways of sharing that the pools of the others do not allow beside them."""
    sharings = (choice.sharing for choice in choices if choice.sharing is not None)
    problem = target.mps_problem(tuple(dict.fromkeys(sharings)))
    return {SharingKind.MPS: refused_by_checks(SharingKind.MPS, problem)} if problem else {}


def _layouts(choices: Iterable[Choice], gpus: int) -> Iterator[Layout]:
    by_sharing: dict[Sharing, tuple[Option, list[Choice]]] = {}
    for choice in choices:
        if (option := choice.option) is not None:
            by_sharing.setdefault(option.sharing, (option, []))[1].append(choice)
    for option, chosen in by_sharing.values():
        workloads = tuple(choice.workload for choice in chosen)
        before = whole(workloads, gpus)
        is_whole = option.kind is SharingKind.NONE
        after = before if is_whole else shared(workloads, option.facts)
        yield Layout(option, tuple(choice.name for choice in chosen), before, after)


def choose(
    name: str, workload: Workload, target: Target, ruled_out: Mapping[SharingKind, Refusal]
) -> Choice:
    """Return what is recommended for a workload on the nodes of a pool.

    `ruled_out` are ways of sharing that other pools do not allow beside them.
    """
    judged = [judge(kind, workload, target, ruled_out) for kind in ways()]
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
    here, there, way = option.pods_per_gpu, best.pods_per_gpu, ways()[best.kind].words
    if here == there:
        reason = f"as many pods on a GPU as by {way}, which keeps more apart"
    else:
        pods = "pod" if here == 1 else "pods"
        reason = f"{float(here):g} {pods} on a GPU, and {float(there):g} by {way}"
    return Refusal(option.kind, Step.PATTERN, reason, STATED)


def month_of(nodes: int, price: Price | None) -> float | None:
    """Return what nodes cost a month, to the cent; None where that is not known."""
    return None if price is None else round(nodes * price.node_hour * HOURS_OF_A_MONTH, 2)


def whole(workloads: Collection[Workload], gpus_per_node: int) -> Footprint:
    """Return what workloads take where each pod holds whole GPUs."""
    pods = Counter[int]()
    for workload in workloads:
        pods[workload.gpus_per_pod] += workload.pods
    return Footprint(
        gpus=sum(size * count for size, count in pods.items()),
        nodes=nodes_of(pods, gpus_per_node),
        gpus_per_node=gpus_per_node,
        in_use=_in_use(workloads),
    )


def shared(workloads: Collection[Workload], facts: PoolFacts) -> Footprint:
    """Return what workloads take where each pod holds one allocation of a pool."""
    pods = sum(workload.pods for workload in workloads)
    return Footprint(
        gpus=ceil(Fraction(pods * facts.gpus_per_node, facts.allocations_per_node)),
        nodes=ceil(Fraction(pods, facts.allocations_per_node)),
        gpus_per_node=facts.gpus_per_node,
        in_use=_in_use(workloads),
    )


def added(footprints: Collection[Footprint], gpus_per_node: int) -> Footprint:
    return Footprint(
        gpus=sum(each.gpus for each in footprints),
        nodes=sum(each.nodes for each in footprints),
        gpus_per_node=gpus_per_node,
        in_use=sum((each.in_use for each in footprints), Fraction()),
    )


def nodes_of(pods: Counter[int], gpus_per_node: int) -> int:
    """Return the nodes that pods of so many GPUs each fill, the largest first."""
    free = Counter[int]()
    nodes = 0
    for size, count in sorted(pods.items(), reverse=True):
        for _ in range(count):
            left = min((each for each, n in free.items() if n and each >= size), default=None)
            if left is None:
                nodes, left = nodes + 1, gpus_per_node
            else:
                free[left] -= 1
            free[left - size] += 1
    return nodes


def _in_use(workloads: Iterable[Workload]) -> Fraction:
    return sum((each.pods * each.in_use for each in workloads), Fraction())
