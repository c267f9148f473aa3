"""Fields of a cluster file as arguments: typed and named as in Python, and judged as in a file."""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from functools import cache, partial, update_wrapper, wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypedDict, TypeVar, Unpack, cast

from pydantic import ValidationError

from charts_py.cluster_file.addons import Addons
from charts_py.cluster_file.cluster import Cluster, Extensions, Network, PlanPolicy
from charts_py.cluster_file.controllers import ControllerName, ControllerSize
from charts_py.cluster_file.fault import Fault, FieldPath, Mark, Problem, SpecError, counted
from charts_py.cluster_file.field_schema import schema_at
from charts_py.cluster_file.gitops import Charts, GitOps, Registry
from charts_py.cluster_file.hardware import Driver, Hardware
from charts_py.cluster_file.kubernetes_version import Promotion
from charts_py.cluster_file.policies import Policies, Webhook
from charts_py.cluster_file.pool import Cost, Pool
from charts_py.cluster_file.provider import AksSettings, EksSettings, GkeSettings
from charts_py.cluster_file.queues import MultiKueue, Priority, Queues, Slurm
from charts_py.cluster_file.serving import Serving
from charts_py.cluster_file.source import Source
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.team import Members, Namespace, Team
from charts_py.cluster_file.training import Training
from charts_py.cluster_file.translation import MISSING, translate
from charts_py.load import platform_of
from charts_py.platform.platform import Platform
from gpus.provider import Provider

_P = ParamSpec("_P")
_Model = TypeVar("_Model", bound=StrictModel)
_Holder = TypeVar("_Holder")
_Added = TypeVar("_Added")
_CAMEL_CASE = re.compile(r"\b[a-z]+(?:[A-Z][a-z0-9]*)+\b")

_PHRASES = ((" in YAML; quote it", ""), ("remove this line", "leave it out"))
"""What is said of a file, and of an argument in its place."""


class ClusterFields(TypedDict, total=False):
    """The fields of a cluster file, which docs/reference/cluster-file.md describes."""

    provider: Provider
    region: str
    kubernetes: str
    version: str
    live: str | None
    promotion: Promotion
    gitops: GitOps
    eks: EksSettings | None
    gke: GkeSettings | None
    aks: AksSettings | None
    network: Network
    image_pull_secrets: tuple[str, ...]
    registries: Mapping[str, Registry]
    charts: Charts
    driver: Driver
    hardware: Hardware
    cost: Cost
    pools: Mapping[str, Pool]
    priorities: Mapping[str, Priority]
    teams: Mapping[str, Team]
    queues: Queues | None
    multi_kueue: MultiKueue | None
    training: Training
    serving: Serving
    slurm: Slurm | None
    policies: Policies
    webhook: Webhook
    addons: Addons
    controllers: Mapping[ControllerName, ControllerSize]
    plan: PlanPolicy
    extensions: Extensions


class TeamFields(TypedDict, total=False):
    """The fields of a team, which docs/reference/cluster-file.md describes."""

    owner: str
    cost_center: str
    project: str | None
    budget: float | None
    members: Members
    priorities: tuple[str, ...]
    share: int
    namespaces: Mapping[str, Namespace]


def describe(
    name: str, *, directory: Path | None = None, **fields: Unpack[ClusterFields]
) -> Platform:
    """Return what follows from the fields of a cluster: the facts that constructs are made from.

    What `extensions` and `multi_kueue` refer to stands in `directory`, by default the current one.
    Raises SpecError with every fault, in which `name` stands for the file.
    """
    source = Source(content_of(fields, Cluster), {(): Mark(name, 0)})
    file = (directory or Path.cwd()) / f"{name}.yaml"
    try:
        return platform_of(file, source, Source({}, {}))
    except SpecError as error:
        raise SpecError(map(in_python, error.faults)) from None


def part(model: Callable[_P, _Model]) -> Callable[_P, _Model]:
    """Let a part of a cluster file be built from its fields; the builder raises SpecError."""

    def build(*unnamed: _P.args, **fields: _P.kwargs) -> _Model:
        _refuse_unnamed(model.__name__, unnamed)
        return read_part(cast("type[_Model]", model), fields, model.__name__)

    return update_wrapper(build, model, updated=())


def from_fields(
    model: Callable[_P, _Model],
) -> Callable[
    [Callable[[_Holder, str, Callable[..., _Model]], _Added]],
    Callable[Concatenate[_Holder, str, _P], _Added],
]:
    """Let a method take a name and the fields of a model; it reads these for a place of its own."""

    def decorate(
        add: Callable[[_Holder, str, Callable[..., _Model]], _Added],
    ) -> Callable[Concatenate[_Holder, str, _P], _Added]:
        @wraps(add)
        def with_fields(
            holder: _Holder, name: str, /, *unnamed: _P.args, **fields: _P.kwargs
        ) -> _Added:
            _refuse_unnamed(add.__name__, unnamed)
            return add(holder, name, partial(read_part, cast("type[_Model]", model), fields))

        return with_fields

    return decorate


def _refuse_unnamed(name: str, unnamed: Collection[object]) -> None:
    """Raise TypeError for arguments that would be lost, since fields are given by name."""
    if unnamed:
        what = f"{counted(len(unnamed), 'argument')} without a name"
        raise TypeError(f"{name}: {what}; allowed: each field by its name")


def read_part(
    model: type[_Model], fields: Mapping[str, object], name: str, path: FieldPath = ()
) -> _Model:
    """Return a part of a cluster file; raise SpecError with its faults, below `path` of `name`."""
    content = content_of(fields, model)
    try:
        # As strict as a cluster file: "4" is no number.
        return model.model_validate_json(json.dumps(content), strict=True)
    except ValidationError as error:
        problems = [translate(each, {}, model) for each in error.errors(include_url=False)]
    misspelled = {(*each.path[:-1], each.nearest[0]) for each in problems if each.nearest}
    raise SpecError(
        in_python(Fault(Mark(name, 0), each), model, path)
        for each in problems
        if each.what != MISSING or each.path not in misspelled
    )


def check_part(
    model: type[StrictModel],
    fields: Mapping[str, object],
    name: str,
    path: FieldPath,
    later: Collection[str],
) -> None:
    """Raise SpecError as `read_part` does, but for what is missing and may be given later."""
    try:
        read_part(model, fields, name, path)
    except SpecError as error:
        missing = {(*path, each) for each in later}
        if told := [each for each in error.faults if each.problem.path not in missing]:
            raise SpecError(told) from None


def content_of(fields: Mapping[str, object], model: type[StrictModel]) -> dict[str, Any]:
    """Return fields as a cluster file holds them; those that no model knows keep their names."""
    known = model.model_fields
    return {
        (known[name].alias or name if name in known else name): _plain(value)
        for name, value in fields.items()
    }


def _plain(value: object) -> Any:
    if isinstance(value, StrictModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, Enum):
        return value.value
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def in_python(fault: Fault, model: type[StrictModel] = Cluster, above: FieldPath = ()) -> Fault:
    """Name fields as arguments are named: `instance_type` for `instanceType`, and models.

    The path of the fault is within the model, which stands at the path `above`.
    """
    problem = _with_model(fault.problem, model)
    steps = (*above, *problem.path)
    path = tuple(_renamed(each) if isinstance(each, str) else each for each in steps)
    nearest = tuple(map(_renamed, problem.nearest))
    if path and nearest == path[-1:]:
        title = (schema_at(problem.path[:-1], model) or {})["title"]
        what = f'unknown field "{path[-1]}" of a dict, which is read as a file is'
        remedy = f"{problem.nearest[0]}, or {title} in place of the dict"
        return replace(fault, problem=Problem(path, what, remedy))
    allowed = None if problem.allowed is None else _renamed(problem.allowed)
    return replace(fault, problem=Problem(path, _renamed(problem.what), allowed, nearest))


def _with_model(problem: Problem, model: type[StrictModel]) -> Problem:
    """Name the model whose fields a mapping would have: `EksSettings with clusterName`."""
    schema = schema_at(problem.path, model) or {}
    if problem.allowed is None or "properties" not in schema:
        return problem
    return replace(problem, allowed=problem.allowed.replace("a mapping", schema["title"], 1))


def _renamed(text: str) -> str:
    for of_file, of_argument in _PHRASES:
        text = text.replace(of_file, of_argument)
    names = _names()
    return _CAMEL_CASE.sub(lambda found: names.get(found[0], found[0]), text)


@cache
def _names() -> Mapping[str, str]:
    """Map the names of all fields in a cluster file to those in Python."""
    return {
        field.alias: name
        for model in _models(StrictModel)
        for name, field in model.model_fields.items()
        if field.alias is not None
    }


def _models(model: type[StrictModel]) -> Iterator[type[StrictModel]]:
    for each in model.__subclasses__():
        yield each
        yield from _models(each)
