"""What clusters cost, item by item."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from charts_py.cluster_file.fault import Fault
from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.pool_price import NoPrice
from gpuplane.reports.cost.cost_item import Billed, CostItem, Figure, PricedPool, View, add_up
from gpus.pool_facts import gpus_per_allocation


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
    """What is planned of a budget, and what was."""

    before: BudgetPlan | None
    """None where there was no such budget."""
    after: BudgetPlan | None
    """None where there is none any more."""

    @property
    def exceeds(self) -> bool:
        """Whether more than the budget is reserved, and by more than before."""
        return _above(self.after) > _above(self.before)


def budget_plans(budgets: Iterable[Budget], items: Iterable[CostItem]) -> Iterator[BudgetPlan]:
    """Yield what is planned of each budget, by items that may be of any figure and team."""
    reserved: dict[tuple[str, str], list[CostItem]] = {}
    for item in items:
        if item.billed is not None:
            reserved.setdefault((item.cluster, item.billed.team), []).append(item)
    for budget in budgets:
        of_team = reserved.get((budget.cluster, budget.team), [])
        total = next(iter(add_up(of_team, View.TEAM)), None)
        yield BudgetPlan(budget, total.month, total.without) if total else BudgetPlan(budget, 0)


@dataclass(frozen=True, slots=True)
class UnpricedPool:
    """A pool whose price is not known, so that no sum has it."""

    place: str
    """Cluster and pool."""
    fault: Fault
    """Why, where, and what would state it."""


@dataclass(frozen=True, slots=True)
class CostStatement:
    """What clusters cost."""

    pools: tuple[PricedPool, ...]
    items: tuple[CostItem, ...]
    unpriced: tuple[UnpricedPool, ...]
    budgets: tuple[Budget, ...] = ()

    @property
    def plans(self) -> tuple[BudgetPlan, ...]:
        """What is planned of each budget."""
        return tuple(budget_plans(self.budgets, self.items))


def cost_statement(platforms: Iterable[Platform]) -> CostStatement:
    """Return what the clusters cost, those of different currencies side by side."""
    platforms = tuple(platforms)
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
            gpus = _gpus_of_quota(platform, namespace, pool)
            yield _priced(platform, pool).item(Figure.RESERVED, gpus, billed)


def _gpus_of_quota(platform: Platform, namespace: TeamNamespace, pool: PlatformPool) -> Fraction:
    """Return what a namespace's quota on a pool is in GPUs."""
    shares = pool_shares(platform, namespace, pool)
    parts = (
        shares[resource.name] * gpus_per_allocation(pool.facts, resource)
        for resource in pool.facts.resources
    )
    return sum(parts, Fraction())


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


def gpus_of(statement: CostStatement, figure: Figure, cluster: str | None = None) -> Fraction:
    """Return how many GPUs are of a figure, those without a price included."""
    counted = (
        item.gpus
        for item in statement.items
        if item.figure is figure and cluster in (None, item.cluster)
    )
    return sum(counted, Fraction())


def number_of(gpus: Fraction) -> str:
    """Return a count of GPUs, which a share of one makes fractional."""
    return f"{float(gpus):,.2f}".rstrip("0").rstrip(".")
