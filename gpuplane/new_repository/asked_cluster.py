"""What somebody asks of a new cluster, what of it is missing, and what is allowed there."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.quantity import bytes_of
from charts_py.cluster_file.strict_model import Refused
from charts_py.platform.name_rule import CLUSTER, check_name
from gpuplane.new_repository.new_cluster import NewCluster, Usual, offered_models, usual
from gpuplane.new_repository.source import InitError
from gpuplane.versions.tree import unknown
from gpus.provider import Provider

_EXAMPLE = "example"
_TEAM = "research"
_NODES = 4
_ON_PREMISES = ("gpus", "cpu", "memory")
"""Facts of a node that the tables have for machines of clouds alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedCluster:
    """A cluster as it is asked for; nothing of it is checked."""

    name: str | None = None
    provider: str | None = None
    region: str | None = None
    gpu: str | None = None
    nodes: int | None = None
    gpus: int | None = None
    cpu: int | None = None
    memory: str | None = None
    purpose: str = Purpose.TRAINING.value
    teams: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A field that is missing."""

    field: str
    names: tuple[str, ...] = ()
    """What is allowed; empty where an example says it."""
    example: str | int = ""

    @property
    def allowed(self) -> str:
        if self.names:
            return ", ".join(self.names)
        kind = "a whole number" if isinstance(self.example, int) else "one"
        return f"{kind} such as {self.example}"

    def __str__(self) -> str:
        option = "NAME" if self.field == "name" else f"--{self.field}"
        return f"{option} is missing; allowed: {self.allowed}"


def missing(asked: AskedCluster) -> Iterator[Question]:
    """Yield what is missing, in the order in which it is asked for."""
    known = _usual(asked)
    for question in (
        Question("name", example="training"),
        Question("provider", tuple(Provider)),
        Question("region", example=known.region),
        Question("gpu", _models(asked)),
        Question("nodes", example=_NODES),
        *(Question(name, example=getattr(known, name)) for name in _ON_PREMISES),
    ):
        is_needed = question.field not in _ON_PREMISES or getattr(known, question.field)
        if is_needed and getattr(asked, question.field) is None:
            yield question


def with_usual(asked: AskedCluster) -> AskedCluster:
    """Return it with what an example has in the place of all that is missing."""
    provider = asked.provider or Provider.EKS.value
    known = _usual(replace(asked, provider=provider))
    values = {
        "name": _EXAMPLE,
        "provider": provider,
        "region": known.region,
        "gpu": known.gpu,
        "nodes": _NODES,
        **{name: getattr(known, name) for name in _ON_PREMISES},
    }
    open_ = {name: value for name, value in values.items() if getattr(asked, name) is None}
    return replace(asked, teams=asked.teams or (_TEAM,), **open_)


def checked(asked: AskedCluster) -> NewCluster:
    """Return the cluster; raise InitError with what is missing, or DistError for unknown names."""
    provider = _named("provider", asked.provider, tuple(Provider))
    gpu = _named(f"GPU model of {provider}", asked.gpu, _models(asked))
    if lines := [str(question) for question in missing(asked)]:
        raise InitError("\n".join(lines))
    if lines := [*_wrong(asked, Provider(provider))]:
        raise InitError("\n".join(lines))
    return NewCluster(
        name=asked.name or "",
        provider=Provider(provider),
        region=asked.region or "",
        gpu=gpu,
        nodes=asked.nodes or 0,
        gpus=asked.gpus,
        cpu=asked.cpu,
        memory=asked.memory,
        purpose=Purpose(_named("purpose", asked.purpose, tuple(Purpose))),
        teams=asked.teams,
    )


def example_cluster(provider: Provider) -> NewCluster:
    return checked(with_usual(AskedCluster(provider=provider.value)))


def _wrong(asked: AskedCluster, provider: Provider) -> Iterator[str]:
    yield from map(str, check_name(CLUSTER, ("NAME",), asked.name or ""))
    for name in ("nodes", "gpus", "cpu"):
        if (count := getattr(asked, name)) is not None and count < 1:
            yield f"--{name}: {count} is out of bounds; allowed: a whole number, at least 1"
    stated = [name for name in _ON_PREMISES if getattr(asked, name) is not None]
    if provider is not Provider.ONPREM and stated:
        options = ", ".join(f"--{name}" for name in stated)
        yield f"{options}: follow from the machine type on {provider}; allowed: none"
    try:
        bytes_of(asked.memory or "1Gi")
    except Refused as error:
        yield f"--memory: {error}"


def _named(kind: str, name: str | None, allowed: Collection[str]) -> str:
    if name is not None and name not in allowed:
        raise unknown(kind, name, allowed)
    return name or ""


def _usual(asked: AskedCluster) -> Usual:
    known: Mapping[str, Usual] = {each.value: found for each, found in usual().items()}
    return known.get(asked.provider or "", known[Provider.EKS.value])


def _models(asked: AskedCluster) -> tuple[str, ...]:
    known = {each.value: each for each in Provider}
    return offered_models(known.get(asked.provider or "", Provider.ONPREM))
