"""Where a workload is to run: a namespace of a team, a pool of its quota, and what that offers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from gpuplane.versions.dist_error import unknown_name
from gpuplane.workloads import choices
from gpuplane.workloads.asked import Asked, AskedError, missing, wrong
from gpuplane.workloads.kind import Kind
from gpus.catalog import load_catalog
from gpus.pool_facts import AdvertisedResource

_Named = TypeVar("_Named", TeamNamespace, AdvertisedResource)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a workload is to run."""

    namespace: TeamNamespace
    pool: PlatformPool
    resource: AdvertisedResource

    @property
    def has_others(self) -> bool:
        """Whether the pool offers several resources."""
        return len(self.pool.facts.resources) > 1


@dataclass(frozen=True, slots=True)
class _Granted:
    """A pool that a namespace has a quota on."""

    namespace: TeamNamespace
    pool: PlatformPool


def chosen_place(asked: Asked, kind: Kind, platform: Platform) -> Place:
    """Return the place that is named, or else the first that suits the kind.

    Raises AskedError where there is none.
    """
    team = _team(asked, platform)
    namespaces = choices.namespaces(platform, team, kind)
    if asked.namespace is not None:
        whose = f"team {team}"
        namespaces = (_one_of("--namespace", "namespace", asked.namespace, namespaces, whose),)
    granted = [
        _Granted(namespace, pool)
        for namespace in namespaces
        for pool in choices.pools(platform, namespace)
    ]
    whose = asked.namespace or f"team {team}"
    if not granted:
        raise _without_quota(namespaces, platform, whose)
    meant = _meant(asked, granted, platform, whose)
    # Of several that are meant, the first; the order is that of `choices`.
    chosen = next((each for each in meant if _suits(platform, kind, each)), meant[0])
    return Place(chosen.namespace, chosen.pool, _resource(asked, platform, chosen))


def _resource(asked: Asked, platform: Platform, chosen: _Granted) -> AdvertisedResource:
    """Return the one that is named, or else the first of which the namespace may use some."""
    offered = choices.resources(chosen.pool)
    if asked.resource is not None:
        of = f"pool {chosen.pool.name}"
        return _one_of("--resource", "resource", asked.resource, offered, of)
    return choices.usual_resource(platform, chosen.namespace, chosen.pool)


def _without_quota(
    namespaces: Sequence[TeamNamespace], platform: Platform, whose: str
) -> AskedError:
    taken = [each.name for each in namespaces if each.name in platform.taken_for_workers]
    if not taken:
        return wrong("--pool", f"{whose} has no quota on a pool", "another namespace")
    workers = [worker.name for worker in platform.workers]
    return wrong(
        "--namespace",
        f"jobs of {', '.join(taken)} run in the workers of {platform.name}: {', '.join(workers)}",
        f"make the manifest with --cluster {workers[0]}, and apply it in {platform.name}",
    )


def _team(asked: Asked, platform: Platform) -> str:
    teams = choices.teams(platform)
    team = asked.team or (teams[0] if len(teams) == 1 else None)
    if team is None:
        raise missing("--team", ", ".join(teams))
    if team not in teams:
        raise wrong("--team", unknown_name("team", team, teams, platform.name))
    return team


def _meant(
    asked: Asked, granted: Sequence[_Granted], platform: Platform, whose: str
) -> Sequence[_Granted]:
    """Return those of the pool or the GPU model that is named; all where neither is."""
    if asked.gpu is not None and asked.pool is not None:
        raise wrong("--gpu", "a pool is named, too", "one of them")
    if asked.pool is not None:
        return _of_pool(asked.pool, granted, platform, whose)
    if asked.gpu is not None:
        return _of_model(asked.gpu, granted, whose)
    return granted


def _of_pool(
    name: str, granted: Sequence[_Granted], platform: Platform, whose: str
) -> Sequence[_Granted]:
    if found := [each for each in granted if each.pool.name == name]:
        return found
    names = tuple(dict.fromkeys(each.pool.name for each in granted))
    if any(pool.name == name for pool in platform.pools):
        raise wrong("--pool", f"{whose} has no quota on pool {name}", ", ".join(names))
    raise wrong("--pool", unknown_name("pool", name, names, whose))


def _of_model(name: str, granted: Sequence[_Granted], whose: str) -> Sequence[_Granted]:
    if found := [each for each in granted if each.pool.hardware.model.name == name]:
        return found
    models = sorted({each.pool.hardware.model.name for each in granted})
    if name in load_catalog().models:
        raise wrong("--gpu", f"{whose} has no quota on a pool of {name}", ", ".join(models))
    raise wrong("--gpu", unknown_name("GPU model", name, models, whose))


def _suits(platform: Platform, kind: Kind, granted: _Granted) -> bool:
    """Return whether a pool suits the kind, and a namespace may use as much as its pods take."""
    if granted.pool not in kind.pools(platform):
        return False
    resource = choices.usual_resource(platform, granted.namespace, granted.pool)
    quota = choices.quota_of(platform, granted.namespace, granted.pool, resource)
    return not kind.only_whole_nodes or quota >= granted.pool.hardware.gpus


def _one_of(option: str, what: str, name: str, allowed: Sequence[_Named], of: str) -> _Named:
    by_name = {each.name: each for each in allowed}
    if name not in by_name:
        raise wrong(option, unknown_name(what, name, list(by_name), of))
    return by_name[name]
