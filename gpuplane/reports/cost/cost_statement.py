"""What clusters cost, item by item, and what a change of their files costs or saves in a month."""

from collections.abc import Collection, Iterable, Iterator, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from charts_py.cluster_file.fault import Fault
from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.pool_price import NoPrice
from gpuplane.reports.cost.cost_item import (
    Billed,
    CostItem,
    CostSum,
    Figure,
    PricedPool,
    View,
    add_up,
)
from gpus.pool_facts import gpus_per_allocation

_Key: TypeAlias = tuple[str, str, Figure]


@dataclass(frozen=True, slots=True)
class CostChange:
    """What one sum was in a month, and what it is then."""

    view: View
    name: str
    currency: str
    figure: Figure
    before: float | None
    """0 where there was no such thing; None where its price is not known."""
    after: float | None

    @property
    def difference(self) -> float | None:
        """What the change costs a month, or, below 0, saves."""
        if self.before is None or self.after is None:
            return None
        return round(self.after - self.before, 2)


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of one team on one cluster: a team of several clusters has one on each."""

    cluster: str
    team: str
    currency: str
    month: float
    """What a month may cost, in the currency."""

    @property
    def place(self) -> str:
        """Cluster and team, as in `training/research`."""
        return f"{self.cluster}/{self.team}"


@dataclass(frozen=True, slots=True)
class BudgetPlan:
    """A budget, and what the quotas of its team reserve on the cluster."""

    budget: Budget
    reserved: float | None
    """What it costs a month, in the budget's currency; None where no pool in it has a price."""
    without: tuple[str, ...] = ()
    """Pools in it that have no price, so that it is more than that."""

    @property
    def above(self) -> float | None:
        """How much more than the budget a month is reserved, 0 where it is not.

        None where that depends on prices that are not known.
        """
        if self.reserved is not None and self.reserved > self.budget.month:
            return round(self.reserved - self.budget.month, 2)
        return None if self.without else 0


@dataclass(frozen=True, slots=True)
class BudgetChange:
    before: BudgetPlan | None
    """None where there was no such budget."""
    after: BudgetPlan | None
    """None where there is none any more."""

    @property
    def exceeds(self) -> bool:
        """Whether more than the budget is reserved, and by more than before."""
        return _above(self.after) > _above(self.before)


@dataclass(frozen=True, slots=True)
class UnpricedPool:
    """A pool whose price is not known, so that no sum has it."""

    place: str
    fault: Fault
    """Why, where, and what would state it."""


@dataclass(frozen=True, slots=True)
class CostComparison:
    changes: tuple[CostChange, ...]
    """The sums that change, and what all come to."""
    unpriced: tuple[UnpricedPool, ...]
    """Pools whose price is not known before or after: no sum has them on either side."""
    budgets: tuple[BudgetChange, ...] = ()
    """Budgets that change, or whose reserved part does, without those pools as well."""


def budget_plans(budgets: Iterable[Budget], items: Iterable[CostItem]) -> Iterator[BudgetPlan]:
    reserved: dict[tuple[str, str], list[CostItem]] = {}
    for item in items:
        if item.billed is not None:
            reserved.setdefault((item.cluster, item.billed.team), []).append(item)
    for budget in budgets:
        of_team = reserved.get((budget.cluster, budget.team), [])
        total = next(iter(add_up(of_team, View.TEAM)), None)
        yield BudgetPlan(budget, total.month, total.without) if total else BudgetPlan(budget, 0)


@dataclass(frozen=True, slots=True)
class CostStatement:
    pools: tuple[PricedPool, ...]
    items: tuple[CostItem, ...]
    unpriced: tuple[UnpricedPool, ...]
    budgets: tuple[Budget, ...] = ()

    @property
    def plans(self) -> tuple[BudgetPlan, ...]:
        return tuple(budget_plans(self.budgets, self.items))


def cost_statement(platforms: Collection[Platform]) -> CostStatement:
    pools = tuple(_priced(platform, pool) for platform in platforms for pool in platform.pools)
    return CostStatement(
        pools=pools,
        items=(
            *(item for pool in pools for item in _of_nodes(pool)),
            *(item for platform in platforms for item in _of_quotas(platform)),
        ),
        unpriced=tuple(gap for platform in platforms for gap in _unpriced(platform)),
        budgets=tuple(budget for platform in platforms for budget in _budgets(platform)),
    )


def _priced(platform: Platform, pool: PlatformPool) -> PricedPool:
    currency = platform.cluster.cost.currency
    return PricedPool(platform.name, pool, currency, platform.price_of(pool))


def _of_nodes(pool: PricedPool) -> Iterator[CostItem]:
    per_node = pool.pool.hardware.gpus
    yield pool.item(Figure.AT_MIN, Fraction(pool.pool.min_nodes * per_node))
    yield pool.item(Figure.AT_MAX, Fraction(pool.pool.spec.nodes.max * per_node))


def _of_quotas(platform: Platform) -> Iterator[CostItem]:
    for namespace in platform.namespaces:
        billed = Billed(namespace.name, namespace.team_name, namespace.team.cost_center)
        for name in namespace.spec.quota.gpus:
            pool = platform.pool(name)
            shares = pool_shares(platform, namespace, pool)
            parts = (
                shares[resource.name] * gpus_per_allocation(pool.facts, resource)
                for resource in pool.facts.resources
            )
            yield _priced(platform, pool).item(Figure.RESERVED, sum(parts, Fraction()), billed)


def _budgets(platform: Platform) -> Iterator[Budget]:
    currency = platform.cluster.cost.currency
    for name, team in sorted(platform.cluster.teams.items()):
        if team.budget is not None:
            yield Budget(platform.name, name, currency, team.budget)


def _unpriced(platform: Platform) -> Iterator[UnpricedPool]:
    for pool in platform.pools:
        price = platform.price_or_reason(pool)
        if isinstance(price, NoPrice):
            fault = platform.fault(("pools", pool.name), price.reason, price.remedy)
            yield UnpricedPool(_priced(platform, pool).place, fault)


def _above(plan: BudgetPlan | None) -> float:
    return (plan.above or 0) if plan else 0


def number_of(gpus: Fraction, sign: str = "") -> str:
    """Return a count of GPUs, which a share of one makes fractional."""
    return f"{float(gpus):{sign},.2f}".rstrip("0").rstrip(".")


def compare(before: CostStatement, after: CostStatement) -> CostComparison:
    unpriced = {gap.place: gap for side in (before, after) for gap in side.unpriced}
    changes = (each for view in View for each in _changes(before, after, view, unpriced.keys()))
    return CostComparison(
        changes=tuple(changes),
        unpriced=tuple(unpriced[place] for place in sorted(unpriced)),
        budgets=tuple(_budget_changes(before, after, unpriced.keys())),
    )


def _changes(
    before: CostStatement, after: CostStatement, view: View, without: Set[str]
) -> Iterator[CostChange]:
    left_out = frozenset[str]() if view is View.POOL else without
    old, new = (_by_key(side.items, view, left_out) for side in (before, after))
    for key in dict.fromkeys((*old, *new)):
        was, now = old.get(key), new.get(key)
        if view is View.TOTAL or _amounts(was) != _amounts(now):
            yield CostChange(view, *key, was.month if was else 0, now.month if now else 0)


def _amounts(one: CostSum | None) -> tuple[Fraction, float | None]:
    """Return what changes: GPUs also where nobody knows what they cost."""
    return (one.gpus, one.month) if one else (Fraction(), 0)


def _by_key(items: tuple[CostItem, ...], view: View, without: Set[str]) -> dict[_Key, CostSum]:
    kept = (item for item in items if item.place not in without)
    return {(each.name, each.currency, each.figure): each for each in add_up(kept, view)}


def _budget_changes(
    before: CostStatement, after: CostStatement, without: Set[str]
) -> Iterator[BudgetChange]:
    old, new = (_plans(side, without) for side in (before, after))
    for key in old | new:
        if (was := old.get(key)) != (now := new.get(key)):
            yield BudgetChange(was, now)


def _plans(side: CostStatement, without: Set[str]) -> dict[tuple[str, str], BudgetPlan]:
    kept = (item for item in side.items if item.place not in without)
    plans = budget_plans(side.budgets, kept)
    return {(each.budget.place, each.budget.currency): each for each in plans}
