"""Scenarios: series in which an alert fires and resolves, or keeps silent.

`scenarios/<component>.yaml` holds those of the alerts that a component defines:

```yaml
cluster: karpenter                      # of clusters/; its rules are evaluated, all of them
given:                                  # series of every scenario, in promtool's notation
  up{job="kube-state-metrics"}: 1x119   # a value a minute: 1, and 119 more
alerts:
  GpuplaneMigLayoutFailed:
    a node cannot be partitioned:       # what happens
      series:
        kube_node_labels{node="a", label_nvidia_com_mig_config_state="failed"}: _x10 1x19 stale
      fires: 15m                        # the first minute in which it does
      resolves: 30m                     # the first in which it does no more
      alerts:                           # what fires
      - labels: {node: a}
        summary: The GPUs of node a are not partitioned.
    a node is partitioned late:
      series: {...}
      silent: 30m                       # until when it never fires
```

Labels are those that the expression leaves; what the alert itself adds to them, such as its
severity, and its annotations besides the summary, are taken from the alert.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

SCENARIOS = Path(__file__).parent / "scenarios"

_MINUTES = {"d": 1440, "h": 60, "m": 1}


@dataclass(frozen=True, slots=True)
class FiringAlert:
    summary: str
    """As it reads, with labels and values filled in."""
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scenario:
    """What happens, and what an alert then does."""

    alert: str
    name: str
    series: Mapping[str, str]
    """Values by series, one a minute, in promtool's notation
    (https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/)."""
    fires: int | None
    """The first minute in which it does; None: it never does."""
    ends: int
    """The first minute in which it does no more; or until which it never fires."""
    firing: tuple[FiringAlert, ...]

    def at_minutes(self) -> Iterator[tuple[int, tuple[FiringAlert, ...]]]:
        """Yield what fires at the minutes that tell: around its start and end, or never."""
        if self.fires is None:
            yield from ((minute, ()) for minute in range(self.ends + 1))
        else:
            yield from ((self.fires - 1, ()), (self.fires, self.firing))
            yield from ((self.ends - 1, self.firing), (self.ends, ()))


@dataclass(frozen=True, slots=True)
class ComponentScenarios:
    """Those of the alerts of a component."""

    component: str
    cluster: str
    """Of the folder `clusters/`."""
    scenarios: tuple[Scenario, ...]

    @property
    def fired(self) -> set[str]:
        return {each.alert for each in self.scenarios if each.firing}


def read_scenarios(folder: Path = SCENARIOS) -> list[ComponentScenarios]:
    return [_read(file) for file in sorted(folder.glob("*.yaml"))]


def _read(file: Path) -> ComponentScenarios:
    content = yaml.load(file.read_bytes(), yaml.CSafeLoader)
    given = content.get("given", {})
    scenarios = (
        _scenario(alert, name, given, case)
        for alert, cases in content["alerts"].items()
        for name, case in cases.items()
    )
    return ComponentScenarios(file.stem, content["cluster"], tuple(scenarios))


def _scenario(alert: str, name: str, given: Mapping[str, str], case: Mapping[str, Any]) -> Scenario:
    is_silent = "silent" in case
    return Scenario(
        alert,
        name,
        series=_values({**given, **case["series"]}),
        fires=None if is_silent else _minutes(case["fires"]),
        ends=_minutes(case["silent" if is_silent else "resolves"]),
        firing=() if is_silent else tuple(FiringAlert(**each) for each in case["alerts"]),
    )


def _values(series: Mapping[str, object]) -> dict[str, str]:
    """Return values by series; raise ValueError for numbers, as 0x60 is in YAML: 96."""
    numbers = [name for name, values in series.items() if not isinstance(values, str)]
    if numbers:
        raise ValueError(f"{numbers[0]} has a number and no values, such as 0+0x60")
    return {name: str(values) for name, values in series.items()}


def _minutes(duration: str) -> int:
    """Return a duration of Prometheus, as `1h30m`, in minutes."""
    if not re.fullmatch(r"(\d+[dhm])+", duration):
        raise ValueError(f"{duration} is no duration of days, hours and minutes, as 1h30m")
    return sum(int(n) * _MINUTES[unit] for n, unit in re.findall(r"(\d+)([dhm])", duration))
