"""Incidents: what fires within the hour of one on a cluster that is otherwise well.

`incidents.yaml` lists them, in promtool's notation. `NODE` in a series is each node of the cluster,
or of the incident. Each begins with minute 70, so that the hour before is known.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

_FILE = Path(__file__).parent / "incidents.yaml"
_HOUR_ENDS = "2h10m"
_FIRED = 'count by (alertname, severity) (max_over_time(ALERTS{alertstate="firing"}[1h]))'


@dataclass(frozen=True, slots=True)
class Incident:
    """What happens, and what fires by then."""

    name: str
    series: Mapping[str, str]
    fires: Mapping[str, Mapping[str, int]]
    """By alert and severity, for how many nodes, GPUs or the like within the hour."""

    @property
    def pages(self) -> int:
        return sum(counts.get("critical", 0) for counts in self.fires.values())

    def test(self) -> dict[str, Any]:
        """Return it as promtool reads it: nothing else may fire."""
        expected = [
            {"labels": f'{{alertname="{alert}", severity="{severity}"}}', "value": count}
            for alert, counts in self.fires.items()
            for severity, count in counts.items()
        ]
        return {
            "name": self.name,
            "interval": "1m",
            "input_series": [{"series": s, "values": v} for s, v in self.series.items()],
            "promql_expr_test": [
                {"expr": _FIRED, "eval_time": _HOUR_ENDS, "exp_samples": expected}
            ],
        }

    def __str__(self) -> str:
        fired = (
            f"{alert} ({severity}{f', {count} times' if count > 1 else ''})"
            for alert, counts in self.fires.items()
            for severity, count in counts.items()
        )
        return f"{self.name}: {', '.join(fired) or 'none'}"


@dataclass(frozen=True, slots=True)
class Incidents:
    """Those of a cluster."""

    cluster: str
    """Of the folder `clusters/`."""
    incidents: tuple[Incident, ...]


def read_incidents() -> Incidents:
    content = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    nodes = tuple(content["node"].format(n) for n in range(content["nodes"]))
    well = {**content["well"], **_of_each(content["each_node"], nodes)}
    return Incidents(
        content["cluster"],
        tuple(_incident(name, row, well, nodes) for name, row in content["incidents"].items()),
    )


def _incident(
    name: str, row: Mapping[str, Any], well: Mapping[str, str], nodes: tuple[str, ...]
) -> Incident:
    affected = nodes[: row.get("nodes", len(nodes))]
    changed = {**row.get("series", {}), **_of_each(row.get("each_node", {}), affected)}
    known = {} if row.get("nothing_is_known") else well
    return Incident(name, {**known, **changed}, row["fires"])


def _of_each(series: Mapping[str, str], nodes: tuple[str, ...]) -> dict[str, str]:
    return dict(_expanded(series, nodes))


def _expanded(series: Mapping[str, str], nodes: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        yield from ((name.replace("NODE", node), values) for name, values in series.items())
