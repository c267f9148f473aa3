"""Where a workload is to run: a namespace of a team, a pool of its quota, and what that offers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from charts_py.cluster_file.other_names import unknown_name
from charts_py.platform.platform import Platform, PlatformPool, TeamNamespace
from charts_py.platform.queue_quota import PoolQuotas, borrowable, pool_quotas
from gpuplane.model_name import whole_model_name
from gpuplane.workloads.asked import Asked, AskedError, wrong
from gpuplane.workloads.capacity import Capacity
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.serving.fit import Room
from gpus.catalog import load_catalog
from gpus.instance_memory import device_memory
from gpus.pool_facts import AdvertisedResource

_Named = TypeVar("_Named", TeamNamespace, AdvertisedResource)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a workload is to run."""

    platform: Platform
    namespace: TeamNamespace
    pool: PlatformPool
    resource: AdvertisedResource

    @property
    def has_others(self) -> bool:
        """Whether the pool offers several resources."""
        return len(self.pool.facts.resources) > 1

    @property
    def most_gpus(self) -> int:
        """How many a pod can use: a node's whole GPUs, or one part of a GPU."""
        return 1 if self.takes_parts else self.resource.per_node

    @property
    def takes_parts(self) -> bool:
        """Whether it has parts of GPUs, of which a pod can use one."""
        return self.resource.is_part

    @property
    def capacity(self) -> Capacity:
        capacities = _pool_capacities(self.platform, self.namespace, self.pool)
        return next(each for each in capacities if each.resource == self.resource.name)

    def room(self, replicas: int) -> Room:
        """Return what each of so many replicas can have; parts of GPUs join no nodes."""
        gpus = max(min(self.most_gpus, self.capacity.quota), 1)
        nodes = 1 if self.takes_parts else self.capacity.most_pods(gpus) // replicas
        return Room(device_memory(self.pool.facts, self.resource), gpus, nodes)

    def usual_gpus(self, kind: Kind) -> int:
        """Return how many a pod gets where nothing is said: of a quota, as many as it has."""
        if kind.only_whole_nodes:
            return self.most_gpus
        return min(self.most_gpus, self.capacity.quota) if kind.whole_nodes else 1


def capacities(platform: Platform) -> Mapping[str, Sequence[Capacity]]:
    """Return the capacities of each namespace: those of all its places."""
    found: dict[str, list[Capacity]] = {namespace.name: [] for namespace in platform.namespaces}
    for pool in platform.pools:
        quotas = pool_quotas(platform, pool)
        for namespace in platform.namespaces:
            if namespace.spec.quota.gpus.get(pool.name):
                found[namespace.name] += _pool_capacities(platform, namespace, pool, quotas)
    return found


def _pool_capacities(
    platform: Platform,
    namespace: TeamNamespace,
    pool: PlatformPool,
    quotas: PoolQuotas | None = None,
) -> Iterator[Capacity]:
    quotas = quotas or pool_quotas(platform, pool)
    own, borrowed = quotas[namespace.name], borrowable(platform, namespace, pool, quotas)
    nodes = platform.team_nodes(pool)
    for each in pool.facts.resources:
        most = own[each.name].nominal + borrowed[each.name]
        yield Capacity(pool.name, each.name, most, each.per_node, nodes)


def usual_place(platform: Platform, namespace: TeamNamespace, pool: PlatformPool) -> Place:
    """Return the place with the first resource that the pool offers and the namespace may use."""
    offered = [Place(platform, namespace, pool, each) for each in pool.facts.resources]
    return next((each for each in offered if each.capacity.quota), offered[0])


def namespaces_of(platform: Platform, team: str, kind: Kind) -> tuple[TeamNamespace, ...]:
    """Return the namespaces of a team, those first that suit the kind best."""
    order = {purpose: place for place, purpose in enumerate(kind.purposes)}
    own = (each for each in platform.namespaces if each.team_name == team)
    return tuple(sorted(own, key=lambda each: order.get(each.spec.purpose, len(order))))


def granted_pools(platform: Platform, namespace: TeamNamespace) -> tuple[PlatformPool, ...]:
    """Return the pools that a namespace may use, spot pools last, else in the order of its quota.

    Spot nodes can be taken away, which is to be asked for.
    """
    granted = [platform.pool(name) for name, quota in namespace.spec.quota.gpus.items() if quota]
    return tuple(sorted(granted, key=lambda pool: pool.facts.spot_taint is not None))


def chosen_place(asked: Asked, kind: Kind, platform: Platform) -> Place:
    """Return the place that is named, or else the first that suits the kind.

    Raises AskedError where there is none.
    """
    team = chosen_team(asked.team, platform)
    namespaces = namespaces_of(platform, team, kind)
    whose = f"team {team}"
    if asked.namespace is not None:
        namespaces = (_one_of("--namespace", "namespace", asked.namespace, namespaces, whose),)
        whose = asked.namespace
    granted = [
        usual_place(platform, namespace, pool)
        for namespace in namespaces
        for pool in granted_pools(platform, namespace)
    ]
    if not granted:
        raise _without_quota(namespaces, platform, whose)
    meant = _meant(asked, granted, platform, whose)
    # Of several that are meant, the first.
    chosen = next((each for each in meant if _suits(kind, each)), meant[0])
    if asked.resource is None:
        return chosen
    offered, of = chosen.pool.facts.resources, f"pool {chosen.pool.name}"
    by_profile = (each for each in offered if each.mig_profile == asked.resource)
    resource = next(by_profile, None) or _one_of(
        "--resource", "resource", asked.resource, offered, of
    )
    return replace(chosen, resource=resource)


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


def chosen_team(named: str | None, platform: Platform) -> str:
    """Return the team that is named, or else the only one; raise AskedError without one."""
    teams = sorted(platform.cluster.teams)
    team = named or (teams[0] if len(teams) == 1 else None)
    if team is None:
        raise wrong("--team", "missing", ", ".join(teams))
    if team not in teams:
        raise wrong("--team", unknown_name("team", team, teams, platform.name))
    return team


def _meant(
    asked: Asked, granted: Sequence[Place], platform: Platform, whose: str
) -> Sequence[Place]:
    if asked.gpu is not None and asked.pool is not None:
        raise wrong("--gpu", "a pool is named, too", "one of them")
    if asked.pool is not None:
        return _of_pool(asked.pool, granted, platform, whose)
    if asked.gpu is not None:
        return _of_model(asked.gpu, granted, whose)
    return granted


def _of_pool(
    name: str, granted: Sequence[Place], platform: Platform, whose: str
) -> Sequence[Place]:
    if found := [each for each in granted if each.pool.name == name]:
        return found
    names = tuple(dict.fromkeys(each.pool.name for each in granted))
    if any(pool.name == name for pool in platform.pools):
        raise wrong("--pool", f"{whose} has no quota on pool {name}", ", ".join(names))
    raise wrong("--pool", unknown_name("pool", name, names, whose))


def _of_model(name: str, granted: Sequence[Place], whose: str) -> Sequence[Place]:
    models = sorted({each.pool.hardware.model.name for each in granted})
    name = whole_model_name(name, models)
    if found := [each for each in granted if each.pool.hardware.model.name == name]:
        return found
    if any(each.lower().startswith(name.lower()) for each in load_catalog().models):
        raise wrong("--gpu", f"{whose} has no quota on a pool of {name}", ", ".join(models))
    raise wrong("--gpu", unknown_name("GPU model", name, models, whose))


def _suits(kind: Kind, place: Place) -> bool:
    """Return whether a pool suits the kind, and a namespace may use as much as its pods take."""
    if place.pool not in kind.pools(place.platform):
        return False
    return not kind.only_whole_nodes or place.capacity.quota >= place.pool.hardware.gpus


def _one_of(option: str, what: str, name: str, allowed: Sequence[_Named], of: str) -> _Named:
    by_name = {each.name: each for each in allowed}
    if name not in by_name:
        raise wrong(option, unknown_name(what, name, list(by_name), of))
    return by_name[name]
