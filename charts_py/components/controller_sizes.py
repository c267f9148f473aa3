"""The sizes of the controllers that the platform installs, by the table `controller_sizes.yaml`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Any, TypeAlias

from msgspec import Struct, convert, field

from charts_py.cluster_file.controllers import ControllerName, ControllerSize
from charts_py.cluster_file.quantity import bytes_of, format_cpus, millicpu_of
from charts_py.metrics.table import load_table
from charts_py.platform.cluster_size import ClusterSize, cluster_size
from charts_py.platform.platform import Platform
from policies.document import value_at
from policies.quantity import format_bytes

SIZE_FIELDS = ("controllers", "pools.NAME.nodes", "teams")
"""Fields of the cluster file that decide the size of a controller."""
Setting: TypeAlias = tuple[tuple[str, ...], Any]
"""The path of a chart's value, and the value."""
_SMALLEST_STEP = 64 * 2**20
_CPU_STEP = 100
"""Thousandths."""
_MOST_CPUS = 64
"""A limit grows with memory up to here: no controller keeps more busy."""
_NO_CHANGE = ControllerSize()


class Stated(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a chart says of a container itself."""

    request: str | None = None
    limit: str | None = None
    least: str | None = None
    """In place of both: up to here it requests nothing."""
    cpu: str | None = None
    cpu_limit: str | None = None

    @property
    def memory(self) -> int:
        """The bytes that the formula is compared with."""
        return bytes_of(self.limit or self.requested)

    @property
    def requested(self) -> str:
        return self.request or self.least or "0"


class Growth(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amount by the size of a cluster: in bytes, or of CPUs."""

    base: str = "0"
    node: str = "0"
    gpu: str = "0"
    namespace: str = "0"
    job: str = "0"
    pod: str = "0"

    def bytes_at(self, size: ClusterSize) -> int:
        return bytes_of(self.base) + sum(bytes_of(each) * count for each, count in self._by(size))

    def millicpu_at(self, size: ClusterSize) -> int:
        return sum(millicpu_of(each) * count for each, count in self._by(size) if each != "0")

    def _by(self, size: ClusterSize) -> Iterator[tuple[str, int]]:
        yield self.node, size.nodes
        yield self.gpu, size.gpus
        yield self.namespace, size.namespaces
        yield self.job, size.jobs
        yield self.pod, size.pods


class Report(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cluster of which somebody said how much the controller took, or had."""

    nodes: int = 0
    jobs: int = 0
    pods: int = 0
    above: str | None = None
    within: str | None = None


class Replicas(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Two of a controller, and the values of a chart that go with that, by their paths."""

    count: str
    from_nodes: int = 0
    also: Mapping[str, Any] = field(default_factory=dict)
    spread: str | None = None
    labels: Mapping[str, str] = field(default_factory=dict)


class Controller(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of the table."""

    name: str
    at: Mapping[str, str] = field(default_factory=dict)
    resources: str = "resources"
    states: Stated
    memory: Growth
    cpu: Growth | None = None
    source: str
    reports: tuple[Report, ...] = ()
    replicas: Replicas | None = None
    alone: str = ""

    def memory_at(self, size: ClusterSize) -> int:
        """Return the bytes that it gets: the limit, or without one what it requests."""
        needed, stated = self.memory.bytes_at(size), self.states.memory
        return _step(needed) if needed > stated else stated

    def replicas_at(self, size: ClusterSize) -> int:
        return 2 if self.replicas and size.nodes >= self.replicas.from_nodes else 1


@cache
def sized_controllers() -> Mapping[str, Controller]:
    rows = load_table(files(__package__) / "controller_sizes.yaml")
    return {name: convert({"name": name, **row}, Controller) for name, row in rows.items()}


@dataclass(frozen=True, slots=True)
class Sized:
    """A controller on one cluster."""

    controller: Controller
    size: ClusterSize
    stated: ControllerSize = _NO_CHANGE
    """What the cluster file says of it."""

    @property
    def resources(self) -> dict[str, dict[str, str]]:
        """Return the resources that differ from what the chart says."""
        found: dict[str, dict[str, str]] = {"requests": self._requests(), "limits": self._limits()}
        return {kind: amounts for kind, amounts in found.items() if amounts}

    def _memory(self) -> int:
        stated = self.stated.memory
        return bytes_of(stated) if stated else self.controller.memory_at(self.size)

    def _factor(self) -> Fraction:
        """Return by how much what it gets exceeds what the chart says."""
        return Fraction(self._memory(), self.controller.states.memory)

    def _requests(self) -> dict[str, str]:
        states, requests = self.controller.states, dict[str, str]()
        if (cpu := self._cpu()) != states.cpu and cpu is not None:
            requests["cpu"] = cpu
        if self._factor() != 1:
            grown = int(bytes_of(states.requested) * self._factor())
            least = self._memory() // 2 if self._factor() > 1 else 0
            requests["memory"] = format_bytes(min(_step(max(grown, least)), self._memory()))
        return requests

    def _cpu(self) -> str | None:
        growth, states = self.controller.cpu, self.controller.states
        if self.stated.cpu or growth is None:
            return self.stated.cpu or states.cpu
        needed = -(-growth.millicpu_at(self.size) // _CPU_STEP) * _CPU_STEP
        return format_cpus(max(needed, millicpu_of(states.cpu or "1m")))

    def _limits(self) -> dict[str, str]:
        states, factor, limits = self.controller.states, self._factor(), dict[str, str]()
        if states.limit is not None and factor != 1:
            limits["memory"] = format_bytes(self._memory())
        if states.cpu_limit and (cpu := self._cpu_limit(states.cpu_limit)) > 0:
            limits["cpu"] = str(cpu)
        return limits

    def _cpu_limit(self, stated: str) -> int:
        """Return CPUs: as many times more as of memory, and what is requested; 0 for no change.

        Throttled, it answers neither its probes nor the API server in time.
        """
        limit, factor = millicpu_of(stated), self._factor()
        grown = limit * factor if self.controller.states.limit and factor > 1 else limit
        grown = min(grown, max(limit, _MOST_CPUS * 1000))
        needed = max(grown, millicpu_of(self._cpu() or stated))
        return ceil(needed / 1000) if needed > limit else 0

    @property
    def replicas(self) -> int:
        return self.stated.replicas or self.controller.replicas_at(self.size)

    def settings(self, section: str) -> Iterator[Setting]:
        """Yield the values of a chart that has it in a section."""
        place = tuple(section.split(".")) if section else ()
        if resources := self.resources:
            yield (*place, *self.controller.resources.split(".")), resources
        if (rule := self.controller.replicas) and self.replicas > 1:
            yield (*place, *rule.count.split(".")), self.replicas
            yield from (((*place, *key.split(".")), value) for key, value in rule.also.items())
            if rule.spread:
                yield (*place, rule.spread), _spread(rule.spread, rule.labels)


def sized(platform: Platform, name: str) -> Sized:
    stated = platform.cluster.controllers.get(ControllerName(name), _NO_CHANGE)
    return Sized(sized_controllers()[name], cluster_size(platform), stated)


def chart_settings(platform: Platform, chart: str, values: Mapping[str, Any]) -> Iterator[Setting]:
    """Yield the values by which the controllers of a chart have their size.

    `values` are its others, by which a chart within it may be switched off.
    """
    for controller in sized_controllers().values():
        if (section := controller.at.get(chart)) is None:
            continue
        if value_at(values, (section.partition(".")[0], "enabled")) is not False:
            yield from sized(platform, controller.name).settings(section)


def container_resources(platform: Platform, name: str) -> dict[str, dict[str, str]]:
    """Return all resources of a controller whose objects are the platform's own."""
    of_cluster, states = sized(platform, name), sized_controllers()[name].states
    requests = {"cpu": states.cpu, "memory": states.request}
    limits = {"cpu": states.cpu_limit, "memory": states.limit}
    own = {"requests": requests, "limits": limits}
    return {
        kind: {
            key: value
            for key, value in {**amounts, **of_cluster.resources.get(kind, {})}.items()
            if value is not None
        }
        for kind, amounts in own.items()
    }


def _spread(key: str, labels: Mapping[str, str]) -> Any:
    """Return what keeps replicas on several hosts, where there are several."""
    chosen = {
        "labelSelector": {"matchLabels": dict(labels)},
        "topologyKey": "kubernetes.io/hostname",
    }
    if key.endswith("affinity"):
        term = {"weight": 100, "podAffinityTerm": chosen}
        return {"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [term]}}
    return [{"maxSkew": 1, "whenUnsatisfiable": "ScheduleAnyway", **chosen}]


def _step(amount: int) -> int:
    """Return the least of 64Mi, 96Mi, 128Mi, 192Mi and so on that holds an amount."""
    step = _SMALLEST_STEP
    while step < amount:
        step *= 2
    between = step * 3 // 4
    return between if between >= max(amount, _SMALLEST_STEP) else step
