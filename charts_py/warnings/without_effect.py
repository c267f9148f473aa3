"""Settings that nothing goes by."""

from collections.abc import Iterator
from pathlib import PurePath

from charts_py.cluster_file.addons import GpuHealthAction
from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import FieldPath
from charts_py.platform.platform import Platform
from charts_py.platform.pool_price import PriceOrigin
from charts_py.warnings.cluster_warning import ClusterWarning


def warn_of_settings_without_effect(platform: Platform) -> Iterator[ClusterWarning]:
    """Yield a warning for each setting of the cluster's own that nothing goes by.

    What clusters share is for all of them, and may be for others.
    """
    for path, reason in (*_of_alerts(platform), *_of_cost(platform), *_of_health(platform)):
        if PurePath(platform.mark(path).file).name != FLEET_FILE:
            what = f"without effect: {reason}; remove this line"
            yield ClusterWarning(platform.fault(path, what))


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


def _of_health(platform: Platform) -> Iterator[tuple[FieldPath, str]]:
    health = platform.cluster.addons.gpu_health
    is_stated = health is not None and "max_percent" in health.model_fields_set
    if is_stated and platform.cluster.addons.gpu_health_action is GpuHealthAction.OBSERVE:
        reason = f"the action {GpuHealthAction.OBSERVE} sets no node aside"
        yield ("addons", "gpuHealth", "maxPercent"), reason
