"""The series that rules, alerts and dashboards may read, as `series.toml` lists them."""

import re
import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert, field

from gpus.platform_names import POOL


class MetricType(StrEnum):
    """How Prometheus reads a metric."""

    GAUGE = "gauge"
    COUNTER = "counter"


class Scope(StrEnum):
    """The scope of a value, where a GPU is partitioned by MIG.

    The exporter then has a row for each instance alone. In it stands the value of the instance, or
    that of the whole GPU once more, which a sum counts as often as there are instances.
    """

    INSTANCE = "instance"
    GPU = "gpu"


class Metric(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    name: str
    help: str = ""
    type: MetricType | None = None
    labels: tuple[str, ...] = ()
    """The labels that it has beside those of its target."""


class DcgmCounter(Metric, frozen=True, kw_only=True):
    type: MetricType
    scope: Scope
    number: int | None = field(default=None, name="field")
    is_for_profiling: bool = field(default=False, name="profiling")

    @property
    def row(self) -> str:
        return f"{self.name}, {self.type}, {self.help}"


class RecordedSeries(Metric, frozen=True, kw_only=True):
    """A series that Prometheus records by the platform's rules."""

    one_for_each: str

    @property
    def is_fact(self) -> bool:
        """Whether it is a constant, as the cluster file says."""
        return ":" not in self.name


class Series(Struct, frozen=True, forbid_unknown_fields=True):
    """All series, by who serves them."""

    dcgm: tuple[DcgmCounter, ...]
    amd: tuple[Metric, ...]
    kube_state: tuple[Metric, ...]
    cadvisor: tuple[Metric, ...]
    kueue: tuple[Metric, ...]
    webhook: tuple[Metric, ...]
    operators: tuple[Metric, ...]
    recorded: tuple[RecordedSeries, ...]


@cache
def known_series() -> Series:
    text = (files(__package__) / "series.toml").read_text(encoding="utf-8")
    tables = tomllib.loads(text)
    named = {
        table: [{"name": name, **row} for name, row in rows.items()]
        for table, rows in tables.items()
    }
    return convert(named, Series)


@cache
def recorded_series(name: str) -> RecordedSeries:
    """Raise LookupError where no rule records such a series."""
    found = {each.name: each for each in known_series().recorded}
    return found[name]


def in_metrics(name: str) -> str:
    """Return the name of a resource or label as kube-state-metrics writes it.

    Source: `sanitizeLabelName` in internal/store/utils.go of
    https://github.com/kubernetes/kube-state-metrics at v2.20.0.
    """
    return re.sub(r"[^a-zA-Z0-9_]", "_", name)


POOL_LABEL = f"label_{in_metrics(POOL)}"
"""The label of `kube_node_labels` that holds the pool, where kube-state-metrics is told to serve
it."""
