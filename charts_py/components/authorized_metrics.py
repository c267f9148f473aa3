"""Metrics that an operator shows to nobody without a token that may read them."""

from collections.abc import Mapping

from charts_py.platform.prerequisite import Prerequisite
from charts_py.platform.scrape_target import ScrapeTarget


def authorized_metrics(
    service: str, namespace: str, selector: Mapping[str, str], *, honors_labels: bool = False
) -> ScrapeTarget:
    """Return the metrics of an operator behind a Service, for the Prometheus operator alone."""
    return ScrapeTarget(
        service,
        namespace,
        selector,
        port="https",
        # It makes its certificate itself, of no authority.
        tls={"insecureSkipVerify": True},
        is_authorized=True,
        honors_labels=honors_labels,
    )


def may_read_metrics(operator: str, role: str, *, alerts: str, otherwise: str) -> Prerequisite:
    """Return what Prometheus needs for alerts on such metrics, and what happens without."""
    return Prerequisite(
        name="A Prometheus whose service account may `get` the URL `/metrics`, as the charts of "
        f"the Prometheus operator have it, or is bound to the ClusterRole `{role}`",
        needed=f"for {alerts}; Google's managed collection has no such token",
        without=f"{operator} answers Prometheus with 401 or 403, and {otherwise}",
    )
