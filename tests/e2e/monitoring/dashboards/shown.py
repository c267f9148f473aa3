"""What a dashboard asks Prometheus for, once its reader has chosen."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from charts_py.grafana.dashboard import Dashboard
from charts_py.platform.platform import Platform
from tests.e2e.monitoring.dashboards.cluster_series import using_pods


@dataclass(frozen=True, slots=True)
class Shown:
    """A query, with the values of its variables filled in."""

    place: str
    """The panel, or the variable whose values it looks up."""
    expression: str


def shown(dashboard: Dashboard, chosen: Mapping[str, str]) -> Iterator[Shown]:
    """Yield the queries for the values of variables, and those of panels."""
    for variable in dashboard.variables:
        values = f"count by ({variable.label}) ({variable.series})"
        yield Shown(f"${variable.name}", _filled(values, chosen))
    for row in dashboard.rows:
        for panel in row.panels:
            for query in panel.queries:
                place = f"{row.title} / {panel.title} / {query.legend}"
                yield Shown(place, _filled(query.expression, chosen))


def chosen_values(platform: Platform, hours: int) -> dict[str, str]:
    """Return a choice of everything, but of one namespace, as Grafana fills it in.

    Its pods have GPUs to themselves: of pods that share one, nothing tells which of them uses it.
    """
    alone = [pod for pod in using_pods(platform) if pod.pool.facts.sharing.replicas == 1]
    namespace = alone[0].namespace
    return {
        "pool": _any_of(pool.name for pool in platform.pools),
        "team": _any_of(platform.cluster.teams),
        "node": _any_of(f"{pool.name}-1" for pool in platform.pools),
        "namespace": namespace.name,
        "workload": namespace.name,
        "pod": _any_of(pod.name for pod in alone if pod.namespace is namespace),
        "__rate_interval": "5m",
        "__range": f"{hours}h",
    }


def _any_of(values: Iterator[str] | Mapping[str, object]) -> str:
    """Return a choice of several values: a group of a regular expression, escaped for PromQL."""
    return f"({'|'.join(values)})"


def _filled(expression: str, chosen: Mapping[str, str]) -> str:
    return re.sub(r"\$(\w+)", lambda found: chosen[found[1]], expression)
