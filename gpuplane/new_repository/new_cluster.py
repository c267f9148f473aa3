"""The file of a new cluster: the smallest that is right, and comments on what comes next."""

import os
import re
import textwrap
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from msgspec import convert

from charts_py.cluster_file.fault import Problem, SpecError
from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.quantity import bytes_of
from charts_py.cluster_file.source import Source, source_of
from charts_py.load import platform_of, read_fleet
from charts_py.platform.placeholder import with_placeholders
from gpuplane.new_repository.source import InitError
from gpuplane.written_files import write_files
from gpus.catalog import load_catalog
from gpus.instance_type import InstanceType
from gpus.provider import Provider
from gpus.purchase import Purchase

_TEMPLATES = files("gpuplane.new_repository") / "templates"
_GIB = 2**30
_FOR_PODS = 0.9
"""The part of a node that teams get: agents, the kubelet and the system have the rest."""
_EXAMPLE_TEAM = "research"
_MENTIONED = 2
"""Other machines with the same GPU that a comment lists."""


@dataclass(frozen=True, slots=True)
class Usual:
    """What a new cluster of a provider has where nobody says otherwise."""

    title: str
    region: str
    kubernetes: str
    gpu: str
    settings: str
    pool: str
    network: str
    gpus: int | None = None
    cpu: int | None = None
    memory: str | None = None


@cache
def usual() -> Mapping[Provider, Usual]:
    text = (files("gpuplane.new_repository") / "new_clusters.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), dict[Provider, Usual])


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCluster:
    """What somebody wants of a cluster."""

    name: str
    provider: Provider
    region: str
    gpu: str
    nodes: int
    gpus: int | None = None
    """Of each node, as are `cpu` and `memory`: on machines of one's own, which no table lists."""
    cpu: int | None = None
    memory: str | None = None
    purpose: Purpose = Purpose.TRAINING
    teams: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.name}.yaml"

    @property
    def pool(self) -> str:
        """The name of its pool, which every provider takes: `H100-SXM` is `h100`."""
        until_number = re.match(r"[^-]*?(?:-[^-\d]+)*?-?[^-]*\d[^-]*", self.gpu)
        named = (until_number.group() if until_number else self.gpu).lower()
        return re.sub("[^a-z0-9]", "", named)[:12]


@dataclass(frozen=True, slots=True)
class _Node:
    """What a node of the pool has, and the lines that say so."""

    gpus: int
    cpu: int
    memory: int
    lines: tuple[str, ...]


def offered_models(provider: Provider) -> tuple[str, ...]:
    """Return the GPU models that a cluster of a provider can have, in the order of the tables."""
    catalog = load_catalog()
    if provider not in catalog.instance_types:
        return tuple(catalog.models)
    offered = {each.gpu for each in catalog.instance_types[provider].values()}
    return tuple(name for name in catalog.models if name in offered)


def machines_with(provider: Provider, gpu: str) -> tuple[InstanceType, ...]:
    """Return the instance types with a GPU model, the one that suits most first.

    That is one that is sold on demand, with the most GPUs and then the fastest network.
    """

    def rank(machine: InstanceType) -> tuple[bool, int, float, int, str]:
        by_demand = machine.purchases and Purchase.ON_DEMAND not in machine.purchases
        return (bool(by_demand), -machine.gpus, -machine.network_gbps, machine.cpu, machine.name)

    offered = load_catalog().instance_types[provider].values()
    return tuple(sorted((each for each in offered if each.gpu == gpu), key=rank))


def cluster_text(cluster: NewCluster) -> str:
    known, node = usual()[cluster.provider], _node(cluster)
    values = {
        "@SETTINGS@": known.settings,
        "@OF_POOL@": known.pool.removeprefix("\n"),
        "@MACHINE@": textwrap.indent("\n".join(node.lines), "    "),
        "@TEAMS@": "\n".join(_team_lines(cluster, node)),
        "@TITLE@": known.title,
        "@PROVIDER@": cluster.provider.value,
        "@REGION@": cluster.region,
        "@KUBERNETES@": known.kubernetes,
        "@NAME@": cluster.name,
        "@POOL@": cluster.pool,
        "@PURPOSE@": cluster.purpose.value,
        "@NODES@": _nodes(cluster),
        "@NETWORK@": known.network,
    }
    return with_placeholders(filled(_template("cluster.yaml"), values), cluster.provider)


def write_cluster(cluster: NewCluster, clusters: Path, fleet: Path | None) -> Path:
    """Write the file of a cluster, and return its path.

    Raises FileExistsError where there is one, and InitError where the platform refuses what is
    wanted; nothing is written then.
    """
    file = new_file(cluster, clusters)
    text = checked_text(cluster, file, read_fleet(fleet))
    write_files(clusters, {file: text.encode()})
    return file


def new_file(cluster: NewCluster, clusters: Path) -> Path:
    """Return the path of its file; raise FileExistsError where there is one."""
    file = clusters / cluster.file
    if os.path.lexists(file):
        raise FileExistsError(f"{file}: already exists; allowed: another name")
    return file


def checked_text(cluster: NewCluster, file: Path, fleet: Source) -> str:
    """Return the file of a cluster; raise InitError where the platform refuses what is wanted."""
    if problems := cluster_problems(cluster, file, fleet):
        raise InitError("\n".join(dict.fromkeys(map(told, problems))))
    return cluster_text(cluster)


_OPTIONS = {"region": "--region", "memory": "--memory", "nodes": "--nodes", "teams": "--team"}


def told(problem: Problem) -> str:
    """Name the option that a problem comes from, whose file is not written."""
    steps = problem.path[:1] if problem.path[:1] == ("teams",) else reversed(problem.path)
    option = next((_OPTIONS[step] for step in steps if step in _OPTIONS), None)
    return str(replace(problem, path=(option,)) if option else problem)


def cluster_problems(cluster: NewCluster, file: Path, fleet: Source) -> tuple[Problem, ...]:
    """Return why the platform refuses a cluster with this file."""
    try:
        platform_of(file, source_of(cluster_text(cluster).encode(), str(file)), fleet)
    except SpecError as error:
        return tuple(_without_consequences([fault.problem for fault in error.faults]))
    return ()


def _without_consequences(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Leave out what is wrong with a part of a team where its name is: that is of the name, too."""
    teams = {problem.path for problem in problems if problem.path[:1] == ("teams",)}
    yield from (one for one in problems if one.path[:2] not in teams - {one.path})


def _node(cluster: NewCluster) -> _Node:
    if cluster.provider in load_catalog().instance_types:
        first, *others = machines_with(cluster.provider, cluster.gpu)
        return _Node(first.gpus, first.cpu, int(first.memory_gib * _GIB), (*_of(first, others),))
    gpus, cpu, memory = cluster.gpus or 0, cluster.cpu or 0, cluster.memory or ""
    stated = {"gpu": cluster.gpu, "gpus": gpus, "cpu": cpu, "memory": memory}
    lines = tuple(f"{name}: {value}" for name, value in stated.items())
    return _Node(gpus, cpu, bytes_of(memory), lines)


def _of(machine: InstanceType, others: list[InstanceType]) -> Iterator[str]:
    also = ", ".join(f"{each.name} ({each.gpus})" for each in others[:_MENTIONED])
    choice = f"; or {also}" if also else ""
    yield f"instanceType: {machine.name} # {machine.gpus} x {machine.gpu}{choice}"
    if machine.provider is Provider.GKE and machine.rdma:
        yield f"interconnect: ethernet # or {machine.rdma}, once gke.networks names its networks"
    if machine.purchases and Purchase.ON_DEMAND not in machine.purchases:
        yield f"purchase: {machine.purchases[0]} # it is not sold on demand"


def _nodes(cluster: NewCluster) -> str:
    # Machines of one's own are there.
    least = cluster.nodes if cluster.provider is Provider.ONPREM else 0
    return f"{{min: {least}, max: {cluster.nodes}}}"


def _team_lines(cluster: NewCluster, node: _Node) -> Iterator[str]:
    """Yield the lines of the teams, who share what the nodes have; of an example, as a comment."""
    teams = cluster.teams or (_EXAMPLE_TEAM,)
    share = cluster.nodes / len(teams)
    values = {
        "@GPUS@": str(max(1, int(share * node.gpus))),
        "@CPU@": str(max(1, int(share * node.cpu * _FOR_PODS))),
        "@MEMORY@": str(max(1, int(share * node.memory * _FOR_PODS / _GIB))),
    }
    blocks = [filled(_template("team.yaml"), {**values, "@TEAM@": team}) for team in teams]
    lines = ["teams:", *"".join(blocks).splitlines()]
    yield from lines if cluster.teams else (f"# {line}" for line in lines)


def _template(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(name, value)
    return text
