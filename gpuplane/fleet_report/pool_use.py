"""Whose the GPUs of a pool are: each of them is counted once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from charts_py.platform.gpu_shares import pool_shares
from charts_py.platform.platform import Platform, PlatformPool
from gpuplane.reports.cost.cost_item import month_of
from gpus.pool_facts import gpus_per_allocation


class Holder(StrEnum):
    """Who or what has GPUs of a pool."""

    TEAM = "team"
    SLURM = "slurm"
    SPARE = "spare"
    """Nodes that take the place of broken ones."""
    NOBODY = "nobody"
    """GPUs in no quota, though one could have them."""
    LOST = "lost"
    """Parts of GPUs that the MIG layout leaves to nobody."""


@dataclass(frozen=True, slots=True)
class Part:
    holder: Holder
    team: str
    """Empty for all but teams."""
    gpus: Fraction


@dataclass(frozen=True, slots=True)
class Costs:
    """What GPUs cost a month, and how many of them have no price."""

    amounts: tuple[tuple[str, float], ...] = ()
    """By currency."""
    without: Fraction = Fraction()


@dataclass(frozen=True, slots=True)
class PoolUse:
    """A pool at its largest, and who has its GPUs."""

    cluster: str
    pool: PlatformPool
    currency: str
    gpu_hour: float | None
    """None where the price is not known."""
    most: Fraction
    kept: Fraction
    """GPUs of nodes that an autoscaler leaves running."""
    parts: tuple[Part, ...]

    @property
    def place(self) -> str:
        return f"{self.cluster}/{self.pool.name}"

    @property
    def teams(self) -> tuple[str, ...]:
        return tuple(each.team for each in self.parts if each.team)

    def of(self, holder: Holder, team: str | None = None) -> Fraction:
        found = (each for each in self.parts if each.holder is holder)
        return sum((each.gpus for each in found if team in (None, each.team)), Fraction())

    def costs(self, gpus: Fraction) -> Costs:
        if not gpus:
            return Costs()
        if self.gpu_hour is None:
            return Costs(without=gpus)
        return Costs(((self.currency, month_of(float(gpus) * self.gpu_hour)),))


def pool_uses(platform: Platform) -> Iterator[PoolUse]:
    for pool in platform.pools:
        price, gpus = platform.price_of(pool), pool.hardware.gpus
        yield PoolUse(
            cluster=platform.name,
            pool=pool,
            currency=platform.cluster.cost.currency,
            gpu_hour=price.gpu_hour if price else None,
            most=Fraction(pool.spec.nodes.max * gpus),
            kept=Fraction(pool.min_nodes * gpus),
            parts=tuple(each for each in _parts(platform, pool) if each.gpus),
        )


def _parts(platform: Platform, pool: PlatformPool) -> Iterator[Part]:
    sizes = {each.name: gpus_per_allocation(pool.facts, each) for each in pool.facts.resources}
    teams = dict.fromkeys(sorted(platform.cluster.teams), Fraction())
    for namespace in platform.namespaces:
        shares = pool_shares(platform, namespace, pool)
        owned = (count * sizes[resource] for resource, count in shares.items())
        teams[namespace.team_name] += sum(owned, Fraction())
    yield from (Part(Holder.TEAM, team, gpus) for team, gpus in teams.items())
    per_node = pool.hardware.gpus
    yield Part(Holder.SLURM, "", Fraction(platform.cluster.slurm_nodes(pool.name) * per_node))
    yield Part(Holder.SPARE, "", Fraction(pool.spec.nodes.spare * per_node))
    nodes = platform.team_nodes(pool)
    usable = sum((each.per_node * sizes[each.name] for each in pool.facts.resources), Fraction())
    yield Part(Holder.NOBODY, "", max(Fraction(), nodes * usable - sum(teams.values())))
    yield Part(Holder.LOST, "", nodes * (per_node - usable))


def added_up(costs: Iterable[Costs]) -> Costs:
    amounts: dict[str, float] = {}
    without = Fraction()
    for each in costs:
        without += each.without
        for currency, amount in each.amounts:
            amounts[currency] = amounts.get(currency, 0) + amount
    return Costs(tuple(sorted(amounts.items())), without)
