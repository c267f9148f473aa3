"""Whether OpenCost can read what it counts."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Fault, Problem
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from charts_py.platform.pool_price import NoPrice

_EXAMPLE = "http://prometheus-operated.monitoring.svc:9090"


def check_prometheus_url(draft: Draft) -> Iterator[Problem]:
    """Yield a problem where OpenCost is asked for, and nothing says where Prometheus is."""
    addons = draft.cluster.addons
    if addons.open_cost and addons.monitoring.prometheus_url is None:
        yield Problem(
            ("addons", "openCost"),
            "OpenCost counts by what it asks Prometheus, whose address is not known",
            f"addons.monitoring.prometheusUrl besides, such as {_EXAMPLE}; or false",
        )


def unpriced_pools(platform: Platform) -> Iterator[Fault]:
    """Yield a warning for each pool whose nodes OpenCost counts as costing nothing."""
    for pool in platform.pools:
        price = platform.price_or_reason(pool)
        if isinstance(price, NoPrice):
            what = f"OpenCost counts its nodes as free: {price.reason}"
            yield platform.fault(("pools", pool.name), what, price.remedy)
