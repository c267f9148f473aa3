"""From what is asked to a request in which everything is right."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from charts_py.platform.fabric import is_whole
from charts_py.platform.name_rule import NameRule, check_name
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.policy_settings import default_priority, policy_settings
from charts_py.release.dist_error import unknown_name
from charts_py.spec.fault import Problem
from charts_py.spec.other_names import nearest_name
from charts_py.spec.quantity import bytes_of, stated_bytes
from charts_py.spec.refused import Refused
from charts_py.spec.training import Framework
from charts_py.workloads import choices
from charts_py.workloads.asked import NO_CHECKPOINT, Asked
from charts_py.workloads.asked_error import AskedError
from charts_py.workloads.kind import Kind
from charts_py.workloads.request import Request
from gpus.pool_facts import AdvertisedResource

_Named = TypeVar("_Named", PlatformPool, TeamNamespace, AdvertisedResource)

_NAME = NameRule("a workload", r"[a-z]([-a-z0-9]{0,45}[a-z0-9])?", 47)
"""What KubeRay allows a RayJob, the least of all kinds: others add to it for names of pods, which
are labels of DNS (https://github.com/ray-project/kuberay, ray-operator/controllers/ray/utils)."""

_CLAIM = NameRule("a claim", r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?", 253)
_MODEL = NameRule("a model", r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?", 63)
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/names/"""

_CHECKPOINT = "100Gi"
_HOURS, _MAX_HOURS = 24, 24 * 365
_PROGRAM = ("train.py",)


def parse_request(asked: Asked, kind: Kind, platform: Platform) -> Request:
    """Return the request; raise AskedError with what is wrong with what is asked."""
    namespace = _namespace(asked, kind, platform)
    pool = _pool(asked, platform, namespace)
    resource = _resource(asked, pool)
    most = choices.most_gpus(resource)
    gpus = choices.usual_gpus(kind, most) if asked.gpus is None else asked.gpus
    nodes = 1 if asked.nodes is None else asked.nodes
    problems = [
        *_numbers(kind, (gpus, nodes), most),
        *_without_effect(asked, kind),
        *_whole_nodes(kind, pool, gpus),
        *_room(platform, namespace, pool, (gpus, nodes)),
        *_others(asked, namespace),
        *_checkpoint_problems(_checkpoint(asked), namespace),
    ]
    if problems:
        raise AskedError(problems)
    return Request(
        name=asked.name,
        platform=platform,
        settings=policy_settings(platform),
        namespace=namespace,
        pool=pool,
        resource=resource,
        gpus=gpus,
        nodes=nodes,
        image=asked.image or "",
        program=asked.program or _PROGRAM,
        priority=asked.priority or default_priority(platform, namespace),
        hours=_hours(asked),
        checkpoint=_checkpoint(asked),
        storage_class=asked.storage_class,
        framework=_framework(asked, kind, platform),
        data=asked.data,
        model=asked.model,
    )


def _namespace(asked: Asked, kind: Kind, platform: Platform) -> TeamNamespace:
    teams = choices.teams(platform)
    team = asked.team or (teams[0] if len(teams) == 1 else None)
    if team is None:
        raise _missing("--team", teams)
    if team not in teams:
        raise _wrong("--team", unknown_name("team", team, teams, platform.name))
    found = choices.namespaces(platform, team, kind)
    return _one_of("--namespace", "namespace", asked.namespace, found)


def _pool(asked: Asked, platform: Platform, namespace: TeamNamespace) -> PlatformPool:
    granted = choices.pools(platform, namespace)
    if not granted:
        problem = f"namespace {namespace.name} may use no pool"
        raise _wrong("--pool", f"{problem}; allowed: another namespace")
    if asked.gpu is None:
        return _one_of("--pool", "pool", asked.pool, granted)
    if asked.pool is not None:
        raise _wrong("--gpu", "a pool is named, too; allowed: one of them")
    with_model = [pool for pool in granted if pool.hardware.model.name == asked.gpu]
    if not with_model:
        models = sorted({pool.hardware.model.name for pool in granted})
        raise _wrong("--gpu", unknown_name("GPU model", asked.gpu, models, namespace.name))
    return with_model[0]


def _resource(asked: Asked, pool: PlatformPool) -> AdvertisedResource:
    return _one_of("--resource", "resource", asked.resource, choices.resources(pool))


def _framework(asked: Asked, kind: Kind, platform: Platform) -> Framework | None:
    trainer = platform.cluster.training.trainer
    of_own_image = {*trainer.images} if trainer else set()
    known = {
        each.value: each
        for each in kind.frameworks
        if each is not Framework.MPI or each in of_own_image
    }
    if asked.framework is None:
        return next(iter(known.values()), None)
    if not known:
        raise _wrong("--framework", f"a {kind.name} has none; allowed: a trainjob")
    if asked.framework == Framework.MPI and Framework.MPI not in of_own_image:
        allowed = "once training.trainer.images has an image of it"
        raise _wrong("--framework", f"no pool has a runtime of mpi; allowed: {allowed}")
    if asked.framework not in known:
        raise _wrong("--framework", unknown_name("framework", asked.framework, list(known)))
    return known[asked.framework]


def _one_of(option: str, what: str, name: str | None, allowed: Sequence[_Named]) -> _Named:
    """Return the one of that name, or the first."""
    if name is None:
        return allowed[0]
    by_name = {each.name: each for each in allowed}
    if name not in by_name:
        raise _wrong(option, unknown_name(what, name, list(by_name)))
    return by_name[name]


def _missing(option: str, allowed: Sequence[str]) -> AskedError:
    return AskedError([Problem((option,), "missing", ", ".join(allowed))])


def _wrong(option: str, what: str) -> AskedError:
    return AskedError([Problem((option,), what)])


def _numbers(kind: Kind, asked: tuple[int, int], most: int) -> Iterator[Problem]:
    gpus, nodes = asked
    if not 1 <= gpus <= most:
        what = f"{gpus} is out of bounds: a pod can use {most} at most"
        allowed = f"1 to {most}" if most > 1 else "1"
        more = "; more by --nodes" if kind.spreads and gpus > most else ""
        yield Problem(("--gpus",), what, f"{allowed}{more}")
    if nodes < 1:
        yield Problem(("--nodes",), f"{nodes} is out of bounds", "at least 1")
    if nodes > 1 and not kind.spreads:
        yield Problem(("--nodes",), f"a {kind.name} is one pod", "1")


def _without_effect(asked: Asked, kind: Kind) -> Iterator[Problem]:
    if kind.has_program:
        return
    if asked.program:
        yield Problem(("PROGRAM",), f"a {kind.name} runs none of its own", "nothing")
    if asked.hours is not None:
        yield Problem(("--hours",), f"a {kind.name} has no end of its own", "nothing")


def _whole_nodes(kind: Kind, pool: PlatformPool, gpus: int) -> Iterator[Problem]:
    if not kind.only_whole_nodes:
        return
    if not is_whole(pool):
        what = f"a {kind.name} takes whole nodes, and pool {pool.name} gives out parts of GPUs"
        yield Problem(("--pool",), what, "a pool of whole GPUs, or another kind")
    elif gpus != pool.hardware.gpus:
        what = f"a {kind.name} takes all GPUs of a node of pool {pool.name}"
        yield Problem(("--gpus",), what, str(pool.hardware.gpus))


def _room(
    platform: Platform, namespace: TeamNamespace, pool: PlatformPool, asked: tuple[int, int]
) -> Iterator[Problem]:
    gpus, nodes = asked
    most = choices.most_nodes(platform, namespace, pool, gpus) if gpus > 0 else nodes
    if nodes > most:
        what = (
            f"{nodes} pods with {gpus} each are more than pool {pool.name} and the quota of "
            f"{namespace.name} hold"
        )
        yield Problem(("--nodes",), what, f"1 to {most}" if most else "fewer --gpus")


def _others(asked: Asked, namespace: TeamNamespace) -> Iterator[Problem]:
    for problem in check_name(_NAME, (), asked.name):
        yield Problem(("NAME",), problem.what, problem.allowed, problem.nearest)
    if not asked.image:
        yield Problem(("--image",), "missing", "an image with the program and its libraries")
    if not 1 <= _hours(asked) <= _MAX_HOURS:
        yield Problem(("--hours",), f"{asked.hours} is out of bounds", f"1 to {_MAX_HOURS}")
    if asked.data is not None:
        yield from check_name(_CLAIM, ("--data",), asked.data)
    if asked.model is not None:
        yield from check_name(_MODEL, ("--model",), asked.model)
    if asked.priority is not None and asked.priority not in namespace.team.priorities:
        allowed = namespace.team.priorities
        what = f'"{asked.priority}" is not among those of team {namespace.team_name}'
        nearest = nearest_name(asked.priority, allowed)
        yield Problem(("--priority",), what, ", ".join(allowed), nearest)


def _hours(asked: Asked) -> int:
    return _HOURS if asked.hours is None else asked.hours


def _checkpoint(asked: Asked) -> str | None:
    return None if asked.checkpoint == NO_CHECKPOINT else asked.checkpoint or _CHECKPOINT


def _checkpoint_problems(stated: str | None, namespace: TeamNamespace) -> Iterator[Problem]:
    if stated is None:
        return
    storage = namespace.spec.quota.storage
    try:
        size = stated_bytes(stated)
    except Refused as refused:
        yield Problem(("--checkpoint",), refused.what, refused.allowed, refused.nearest)
        return
    if not 0 < size <= bytes_of(storage):
        what = f"{stated} is out of bounds: the quota of {namespace.name} is {storage}"
        yield Problem(("--checkpoint",), what, f"at most {storage}, or {NO_CHECKPOINT}")
