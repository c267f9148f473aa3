"""What somebody asks of a new cluster, what of it is missing, and what is allowed there."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.pool import Purpose
from charts_py.cluster_file.quantity import bytes_of
from charts_py.cluster_file.source import Source
from charts_py.cluster_file.strict_model import Refused
from charts_py.platform.name_rule import CLUSTER, check_name
from gpuplane.model_name import whole_model_name
from gpuplane.new_repository.new_cluster import (
    NewCluster,
    Usual,
    cluster_problems,
    new_file,
    offered_models,
    told,
    usual,
)
from gpuplane.new_repository.source import InitError
from gpuplane.versions.tree import DistError, unknown
from gpus.provider import Provider

_EXAMPLE = "example"
_TEAM = "research"
_NODES = 4
_ON_PREMISES = ("gpus", "cpu", "memory")
"""Facts of a node that the tables have for machines of clouds alone."""


@dataclass(frozen=True, slots=True)
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
    purpose: str | None = None
    teams: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    field: str
    names: tuple[str, ...] = ()
    """What is allowed; empty where an example says it."""
    example: str | int = ""
    """It is offered as the answer."""
    required: bool = True
    """Whether a cluster needs it where nobody can be asked."""

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
        Question("provider", tuple(Provider), Provider.EKS.value),
        Question("region", example=known.region),
        Question("gpu", _models(asked), known.gpu),
        Question("nodes", example=_NODES),
        *(Question(name, example=getattr(known, name)) for name in _ON_PREMISES),
        Question("purpose", tuple(Purpose), Purpose.TRAINING.value, required=False),
        Question("teams", example=_TEAM, required=False),
    ):
        is_needed = question.field not in _ON_PREMISES or getattr(known, question.field)
        if is_needed and getattr(asked, question.field) in (None, ()):
            yield question


def answered(asked: AskedCluster, question: Question, answer: str) -> AskedCluster:
    """Return it with an answer; raise InitError for one that is not a number where it has to be."""
    value: Any = answer
    if isinstance(question.example, int):
        if not answer.isdecimal():
            raise InitError(f"{answer} is not a number; allowed: {question.allowed}")
        value = int(answer)
    elif question.field == "teams":
        value = tuple(answer.replace(",", " ").split())
    return replace(asked, **{question.field: value})


def answer_problems(
    clusters: Path, fleet: Source, asked: AskedCluster, question: Question, answer: str
) -> tuple[str, ...]:
    """Return what is wrong with an answer, if all that is still missing is as usual."""
    before = set(_problems(asked, clusters, fleet))
    try:
        after = _problems(answered(asked, question, answer), clusters, fleet)
    except InitError as error:
        return (str(error),)
    return tuple(each for each in after if each not in before)


def _problems(asked: AskedCluster, clusters: Path, fleet: Source) -> tuple[str, ...]:
    try:
        cluster = checked(with_usual(asked))
        file = new_file(cluster, clusters)
    except (DistError, FileExistsError, InitError, RenderError) as error:
        return tuple(str(error).splitlines())
    return tuple(map(told, cluster_problems(cluster, file, fleet)))


def with_usual(asked: AskedCluster) -> AskedCluster:
    """Return it with what an example has in the place of all that is missing."""
    name = asked.name or _EXAMPLE
    provider = asked.provider or Provider.EKS.value
    asked = replace(asked, name=name, provider=provider)
    values: dict[str, Any] = {
        question.field: (_TEAM,) if question.field == "teams" else question.example
        for question in missing(asked)
    }
    return replace(asked, **values)


def checked(asked: AskedCluster) -> NewCluster:
    """Return the cluster; raise InitError with what is missing, or DistError for unknown names.

    Raises RenderError for a GPU model that could be several.
    """
    provider = _named("provider", asked.provider, tuple(Provider))
    models = _models(asked)
    whole = None if asked.gpu is None else whole_model_name(asked.gpu, models)
    gpu = _named(f"GPU model of {provider}", whole, models)
    purpose = _named("purpose", asked.purpose, tuple(Purpose)) or Purpose.TRAINING
    if lines := [str(question) for question in missing(asked) if question.required]:
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
        purpose=Purpose(purpose),
        teams=asked.teams,
    )


def _wrong(asked: AskedCluster, provider: Provider) -> Iterator[str]:
    yield from map(str, check_name(CLUSTER, ("NAME",), asked.name or ""))
    for name in ("nodes", "gpus", "cpu"):
        if (count := getattr(asked, name)) is not None and count < 1:
            yield f"--{name}: {count} is out of bounds; allowed: a whole number, at least 1"
    stated = [name for name in _ON_PREMISES if getattr(asked, name) is not None]
    if provider is not Provider.ONPREM and stated:
        options = ", ".join(f"--{name}" for name in stated)
        follow, them = ("follow", "them") if len(stated) > 1 else ("follows", "it")
        yield f"{options}: {follow} from the machine type on {provider}; leave {them} out"
    memory = asked.memory or "1Gi"
    if memory.isdecimal():
        yield f"--memory: {memory} has no unit; allowed: one such as {memory}Gi"
    try:
        bytes_of(memory)
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
