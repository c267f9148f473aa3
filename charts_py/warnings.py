"""All warnings of a cluster file, besides those of a single provider or component."""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TypeAlias

from charts_py.cluster_file.cluster_files import FLEET_FILE, path_in_checkout
from charts_py.cluster_file.fault import Fault, FieldPath
from charts_py.cluster_file.gitops import ROOT
from charts_py.cluster_file.quantity import bytes_of, millicpu_of
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.pool_price import PriceOrigin
from policies.quantity import format_bytes

_MARGIN = 2
"""So often may a quota hold what its GPU pools have: pods without GPUs run on other nodes."""


@dataclass(frozen=True, slots=True)
class ClusterWarning:
    """A warning; the cluster is rendered nevertheless, and always the same."""

    fault: Fault
    """What to warn of, with its line."""
    after: dt.date | None = None
    """The last day without it; None where it holds on every day."""

    def holds(self, today: dt.date | None) -> bool:
        """Return whether it is to be shown; None is before every day."""
        return self.after is None or (today is not None and today > self.after)


def warn_of_expired_exceptions(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for the days after each exception, when its rule applies again."""
    for index, exception in enumerate(platform.cluster.policies.exceptions):
        path = ("policies", "exceptions", index, "expires")
        what = f"{exception.expires} is over, so that {exception.rule} applies again"
        allowed = "a later day, or no exception"
        yield ClusterWarning(platform.fault(path, what, allowed), after=exception.expires)


def warn_of_holds_that_are_over(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for the days after a hold, when versions go live again."""
    if (hold := platform.cluster.promotion.hold) is not None:
        what = f"{hold.until} is over, so that versions go live again"
        fault = platform.fault(("promotion", "hold", "until"), what, "a later day, or no hold")
        yield ClusterWarning(fault, after=hold.until)


def warn_of_other_folder(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning where Argo CD would look for `dist/` in a folder that does not hold it.

    No more than that: `dist/` may be copied to the repository that Argo CD reads. A platform that
    no file describes has none.
    """
    stated = platform.cluster.gitops.path
    found = path_in_checkout(platform.directory.parent)
    if found in (None, stated) or not platform.mark(()).line:
        return
    what = f'dist/ is in "{found}" of its checkout, and Argo CD would look in "{stated}"'
    allowed = f"{found}, or a checkout of its own: git init" if found != ROOT else ROOT
    yield ClusterWarning(platform.fault(("gitops", "path"), what, allowed))


def warn_of_quota_capacity(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each quota far above what the namespace's pools have at their largest."""
    for namespace in platform.namespaces:
        quota = namespace.spec.quota
        pools = [pool for pool in platform.pools if quota.gpus.get(pool.name, 0) > 0]
        cpus = sum(pool.spec.nodes.max * pool.hardware.cpu for pool in pools)
        memory = sum(pool.spec.nodes.max * pool.hardware.memory for pool in pools)
        names = ", ".join(pool.name for pool in pools)
        if pools and millicpu_of(quota.cpu) > _MARGIN * cpus * 1000:
            what = f"{quota.cpu} CPUs are far above the {cpus} of {names}"
            yield _warning(platform, (*_path(namespace), "cpu"), what)
        if pools and bytes_of(quota.memory) > _MARGIN * memory:
            what = f"{quota.memory} is far above the {format_bytes(memory)} of {names}"
            yield _warning(platform, (*_path(namespace), "memory"), what)


def _warning(platform: Platform, path: FieldPath, what: str) -> ClusterWarning:
    allowed = f"what its pods need, at most {_MARGIN} times as much"
    return ClusterWarning(platform.fault(path, f"{what} at their largest", allowed))


def _path(namespace: TeamNamespace) -> FieldPath:
    return ("teams", namespace.team_name, "namespaces", namespace.name, "quota")


def warn_of_unnamed_reservation(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each pool that may be bought on demand, though it says otherwise."""
    if not platform.provider.makes_nodes:
        return
    for pool in platform.pools:
        if pool.spec.purchase.takes_reservation and pool.spec.reservation is None:
            path = ("pools", pool.name, "purchase")
            what = f'"{pool.spec.purchase}" without a reservation; nodes may be bought on demand'
            allowed = "a reservation that the pool names, or purchase: on-demand"
            yield ClusterWarning(platform.fault(path, what, allowed))


def warn_of_unpriced_budget(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each budget of a team that has no pool with a price."""
    for name, team in platform.cluster.teams.items():
        names = {name for each in team.namespaces.values() for name in each.quota.gpus}
        if team.budget is not None and not any(
            platform.price_of(platform.pool(each)) for each in names
        ):
            pools = ", ".join(sorted(names))
            what = f"nothing counts towards it, as the price of {pools} is not known"
            allowed = "a price of one of them (docs/cost.md), or no budget"
            path = ("teams", name, "budget")
            yield ClusterWarning(platform.fault(path, what, allowed))


def warn_of_settings_without_effect(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each setting of the cluster's own that nothing goes by.

    What clusters share is for all of them, and may be for others.
    """
    for path, reason in (*_of_alerts(platform), *_of_cost(platform)):
        if PurePath(platform.mark(path).file).name != FLEET_FILE:
            what = f"without effect: {reason}; remove this line"
            yield ClusterWarning(platform.fault(path, what))


def _of_alerts(platform: Platform) -> Iterator[tuple[FieldPath, str]]:
    if platform.monitoring.prometheus is not None:
        return
    reason = "addons.monitoring.serviceMonitors: false leaves out alerts"
    if platform.cluster.addons.monitoring.runbooks is not None:
        yield ("addons", "monitoring", "runbooks"), reason
    for pool in platform.pools:
        if pool.spec.alerts.model_fields_set:
            yield ("pools", pool.name, "alerts"), reason


def _of_cost(platform: Platform) -> Iterator[tuple[FieldPath, str]]:
    cost, pools = platform.cluster.cost, platform.pools
    is_powered = any(pool.spec.owned and pool.spec.owned.kilowatts for pool in pools)
    if cost.electricity is not None and not is_powered:
        yield ("cost", "electricity"), "no pool has machines with owned.kilowatts"
    prices = ((pool.spec.purchase, platform.price_of(pool)) for pool in pools)
    listed = {
        purchase for purchase, price in prices if price and price.origin is PriceOrigin.LISTED
    }
    for purchase in sorted({*cost.discounts} - listed):
        yield ("cost", "discounts", purchase), f"no {purchase} pool goes by a listed price"


Warn: TypeAlias = Callable[[Platform], Iterable[ClusterWarning]]

WARNINGS: tuple[Warn, ...] = (
    warn_of_unnamed_reservation,
    warn_of_quota_capacity,
    warn_of_expired_exceptions,
    warn_of_holds_that_are_over,
    warn_of_other_folder,
    warn_of_unpriced_budget,
    warn_of_settings_without_effect,
)


def find_warnings(platform: Platform) -> tuple[ClusterWarning, ...]:
    return tuple(warning for warn in WARNINGS for warning in warn(platform))
