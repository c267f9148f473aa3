"""The steps of an upgrade to another minor version, which a person takes."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files

import msgspec

from charts_py.platform.platform import Platform
from gpuplane.plan.effect import PlannedObject
from gpuplane.plan.outage import Outage, by_size, outages, sized_rollouts
from gpuplane.plan.pin_change import PinnedSide
from gpuplane.plan.planned_objects import upgraded_objects
from gpuplane.plan.running_nodes import RunningNodes
from gpuplane.plan.sources import read_table
from gpuplane.versions.record import ReleaseRecord


class UpgradeProcedure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who upgrades control plane and nodes, by what makes the nodes."""

    nodes_sentence: str
    control_plane: str = ""
    """A command, run for each minor; empty where it depends on who installed the cluster."""
    node_commands: tuple[str, ...] = ()
    queued_command: str = ""
    """A command, run for each pool whose nodes are made for single jobs."""
    controllers: Mapping[str, str] = {}
    """The controllers that a person installs, with their versions."""


class Supported(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The minor versions of Kubernetes that a project says its version supports."""

    name: str
    version: str
    """A pattern such as `1.15.*`."""
    least: str
    source: str
    most: str | None = None

    def __str__(self) -> str:
        return f"{self.least} to {self.most}" if self.most else f"{self.least} or newer"


class _Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    way: dict[str, UpgradeProcedure]
    supported: tuple[Supported, ...]


@dataclass(frozen=True, slots=True)
class Controller:
    """A chart, or a controller that a person installs, with what it supports."""

    name: str
    version: str
    supported: Supported | None
    """None where nothing is known of this version."""

    def excludes(self, minor: str) -> bool:
        known = self.supported
        if known is None:
            return False
        most = _number(known.most or minor)
        return not _number(known.least) <= _number(minor) <= most


@dataclass(frozen=True, slots=True)
class KubernetesUpgrade:
    """Another minor version that a cluster is rendered for."""

    old: str
    new: str
    way: UpgradeProcedure | None = None
    """None where the cluster is not known."""
    objects: tuple[PlannedObject, ...] = ()
    """The objects whose nodes it concerns, each as it is afterwards."""
    outages: tuple[Outage, ...] = ()
    controllers: tuple[Controller, ...] = ()

    @property
    def minors(self) -> tuple[str, ...]:
        """The versions on the way, the last one included; none where it goes back."""
        numbers = range(_number(self.old) + 1, _number(self.new) + 1)
        return tuple(f"1.{number}" for number in numbers)

    @property
    def excluding(self) -> tuple[Controller, ...]:
        """The controllers of which a version on the way is not said to be supported."""
        return tuple(each for each in self.controllers if any(map(each.excludes, self.minors)))

    def commands(self, platform: Platform) -> Iterator[str]:
        """Yield what upgrades the control plane, and then what upgrades nodes or shows them."""
        way = self.way
        if way is None or not self.minors:
            return
        if way.control_plane:
            yield from (_filled(way.control_plane, platform, minor) for minor in self.minors)
        for command in way.node_commands:
            pools = (pool.name for pool in platform.pools)
            lines = (_filled(command, platform, self.new, pool) for pool in pools)
            yield from dict.fromkeys(lines)
        if way.queued_command:
            queued = (pool.name for pool in platform.pools if pool.spec.nodes.queued)
            yield from (_filled(way.queued_command, platform, self.new, pool) for pool in queued)


def _filled(command: str, platform: Platform, minor: str, pool: str = "") -> str:
    cluster = platform.cluster
    settings = {"eks": cluster.eks, "gke": cluster.gke, "aks": cluster.aks}
    known = {**settings, "region": cluster.region, "minor": minor, "pool": pool}
    return shlex.join(word.format(**known) for word in command.split())


def way_of(platform: Platform) -> UpgradeProcedure:
    provider = platform.provider.name.value
    settings = getattr(platform.cluster, provider, None)
    return _tables().way[str(getattr(settings, "provisioner", provider))]


def controllers(
    charts: Iterable[tuple[str, str]], way: UpgradeProcedure | None
) -> Iterator[Controller]:
    """Yield charts by name and version, and what a person installs, those known first."""
    installed = way.controllers.items() if way else ()
    found = [
        Controller(name, version, supported(name, version))
        for name, version in sorted({*charts, *installed})
    ]
    yield from sorted(found, key=lambda each: each.supported is None)


def supported(name: str, version: str) -> Supported | None:
    return next(
        (
            each
            for each in _tables().supported
            if each.name == name and fnmatchcase(version, each.version)
        ),
        None,
    )


@cache
def _tables() -> _Tables:
    table = files("gpuplane.plan") / "kubernetes_upgrade.toml"
    return msgspec.convert(read_table(table), _Tables)


def is_higher(minor: str, other: str) -> bool:
    return _number(minor) > _number(other)


def _number(minor: str) -> int:
    return int(minor.partition(".")[2])


def kubernetes_upgrade(
    cluster: str,
    old: ReleaseRecord | None,
    new: PinnedSide,
    platform: Platform | None,
    known: Sequence[Platform],
    running: RunningNodes,
) -> KubernetesUpgrade | None:
    """Return the upgrade that comes with another side; None without one, or where not known.

    `platform` is the cluster of that side, and `known` are those that tell the sizes of pools.
    """
    if old is None or new.record is None or old.kubernetes == new.record.kubernetes:
        return None
    objects = tuple(upgraded(old, new))
    rollouts = dict.fromkeys(rollout for each in objects for rollout in each.rollouts)
    sized = sized_rollouts([*rollouts], cluster, running, known)
    way = way_of(platform) if platform else None
    charts = {(chart.name, chart.version) for chart in new.record.charts}
    return KubernetesUpgrade(
        old=old.kubernetes,
        new=new.record.kubernetes,
        way=way,
        objects=tuple(sorted(objects, key=lambda each: (-each.verdict, each.placed))),
        outages=tuple(sorted(outages(sized), key=by_size)),
        controllers=tuple(controllers(charts, way)),
    )


def upgraded(old: ReleaseRecord | None, new: PinnedSide) -> Iterator[PlannedObject]:
    """Yield the objects whose nodes follow the control plane to a higher minor version."""
    if old and new.record and is_higher(new.record.kubernetes, old.kubernetes):
        yield from upgraded_objects(new.documents, (old.kubernetes, new.record.kubernetes))
