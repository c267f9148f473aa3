"""The quota of a namespace, its GPUs dealt to the pools that offer them.

Kubernetes bounds a resource, a cluster file the allocations of each pool. Where several pools offer
a resource, each gets a part by the room that it has left, so that all parts together fit wherever
they can.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from charts_py.providers.registry import PROVIDERS
from gpuplane.adoption.commented import Commented, note
from gpuplane.adoption.found_object import FoundObject
from gpuplane.adoption.found_pool import FoundPool
from gpuplane.adoption.values import items, strings, texts, whole_number
from gpus.catalog import load_vendors
from gpus.mig import format_profile
from gpus.pool_facts import ResourceNaming
from gpus.provider import Provider
from policies.quantity import format_bytes

_REQUESTS = "requests."
_PRIORITY_SCOPE = "PriorityClass"
_SIZES: Mapping[str, tuple[str, ...]] = {
    "cpu": ("requests.cpu", "cpu"),
    "memory": ("requests.memory", "memory"),
    "storage": ("requests.storage",),
    "ephemeralStorage": ("requests.ephemeral-storage", "ephemeral-storage"),
}
"""Fields, by the resources that say the same, the first of them that is bounded."""
_COUNTS: Mapping[str, str] = {
    "pods": "pods",
    "loadBalancers": "services.loadbalancers",
    "nodePorts": "services.nodeports",
    "resourceClaims": "count/resourceclaims.resource.k8s.io",
}
_REQUIRED = ("cpu", "memory", "storage")


@dataclass(frozen=True, slots=True)
class FoundQuota:
    """The ResourceQuotas of a namespace as one."""

    hard: Mapping[str, str] = field(default_factory=dict)
    origins: tuple[str, ...] = ()
    priorities: tuple[str, ...] | None = None
    """The classes beyond which no pod is let in; None where all are."""
    notes: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        return ", ".join(self.origins)

    def first(self, *names: str) -> str | None:
        return next((self.hard[name] for name in names if name in self.hard), None)

    def requested(self) -> Mapping[str, int]:
        """Return the whole numbers that extended resources are bounded by.

        The API server counts those under the prefix `requests.` alone
        (https://kubernetes.io/docs/concepts/policy/resource-quotas/).
        """
        return {
            name.removeprefix(_REQUESTS): count
            for name, bound in self.hard.items()
            if name.startswith(_REQUESTS)
            and "/" in name
            and (count := whole_number(bound)) is not None
        }


@dataclass(frozen=True, slots=True)
class PoolOffer:
    """The GPU resources of a pool."""

    pool: str
    resources: frozenset[str]
    allocations: int
    """How many there are on all its nodes together, at most; 0 where that is not known."""


@dataclass(frozen=True, slots=True)
class ResourceBound:
    """What a namespace may request of a resource."""

    namespace: str
    resource: str
    count: int
    granted: frozenset[str] | None = None
    """The pools that it may use; None where that is not known."""

    def offering(self, offers: Iterable[PoolOffer]) -> tuple[PoolOffer, ...]:
        found = (one for one in offers if self.resource in one.resources)
        return tuple(one for one in found if self.granted is None or one.pool in self.granted)


@dataclass(slots=True)
class DealtQuota:
    """The quota of a namespace by pool."""

    gpus: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """What was decided, and what no pool offers."""


def quota_fields(quota: FoundQuota, dealt: DealtQuota) -> Commented:
    """Return the quota, its GPUs as they are dealt to pools."""
    gpus = Commented(dict(sorted(dealt.gpus.items())), quota.origin, tuple(dealt.notes))
    if not dealt.gpus:
        without = "gpus: no quota of GPUs that pools offer; set allocations by pool"
        gpus = note(*dealt.notes, without)
    fields = {"gpus": gpus}
    for name, resources in _SIZES.items():
        bound = quota.first(*resources)
        if bound is not None:
            fields[name] = Commented(bound if name == "cpu" else _with_unit(bound), quota.origin)
        elif name in _REQUIRED:
            fields[name] = note(f"{name}: nothing limits {resources[0]} today; set it")
    for name, resource in _COUNTS.items():
        if count := whole_number(quota.hard.get(resource)):
            fields[name] = Commented(count, quota.origin)
    return Commented(fields, notes=(*quota.notes, *_lost(quota)))


def _with_unit(quantity: str) -> str:
    """Return a quantity of bytes with the largest unit that divides it."""
    size = whole_number(quantity)
    if size is None:
        return quantity
    return format_bytes(size) if size else "0Gi"


def _lost(quota: FoundQuota) -> Iterator[str]:
    known = {name for names in _SIZES.values() for name in names} | {*_COUNTS.values()}
    gpus = {f"requests.{resource}" for resource in quota.requested()}
    memory = quota.first("requests.memory", "memory")
    for name, bound in sorted(quota.hard.items()):
        if name not in known | gpus and (name, bound) != ("limits.memory", memory):
            yield f"not carried over: {name} {bound} of {quota.origin}"


def found_quota(quotas: Iterable[FoundObject]) -> FoundQuota:
    """Return the ResourceQuotas of one namespace as one; of scopes, those of priorities alone."""
    hard: dict[str, str] = {}
    origins: list[str] = []
    priorities: tuple[str, ...] | None = None
    notes: list[str] = []
    for found in quotas:
        bounds = strings(found.spec, "hard")
        if not found.spec.get("scopes") and not found.spec.get("scopeSelector"):
            origins.append(str(found))
            differing = [name for name, one in bounds.items() if hard.get(name, one) != one]
            if differing:
                shown = ", ".join(f"{name} {bounds[name]}" for name in differing)
                notes.append(f"not carried over: {shown} of {found}; another bounds it too")
            hard = {**bounds, **hard}
        elif (allowed := _only_priorities(found, bounds)) is not None:
            priorities = allowed
        else:
            notes.append(f"not carried over: {found}, which counts pods of a scope alone")
    return FoundQuota(hard, tuple(origins), priorities, tuple(notes))


def _only_priorities(found: FoundObject, bounds: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the classes that a quota of no pods leaves out; None where it is another quota."""
    if bounds != {"pods": "0"}:
        return None
    for one in items(found.spec, "scopeSelector", "matchExpressions"):
        if one.get("scopeName") == _PRIORITY_SCOPE and one.get("operator") == "NotIn":
            return texts(one, "values")
    return None


def pool_offer(pool: FoundPool, provider: Provider) -> PoolOffer:
    limited = pool.limited[1] if pool.limited else len(pool.group.nodes)
    nodes = limited if pool.group.max is None else pool.group.max
    parts = (sum(pool.sharing.mig.values()) or 1) * pool.sharing.replicas
    return PoolOffer(
        pool=pool.group.name,
        resources=_offered(pool, provider),
        allocations=nodes * (pool.gpus or 0) * parts,
    )


def _offered(pool: FoundPool, provider: Provider) -> frozenset[str]:
    """Return what the nodes offer now, or else what follows from how GPUs are shared."""
    whole, mig = pool.resource, f"{pool.resource.partition('/')[0]}/mig-"
    now = frozenset(
        name
        for node in pool.group.nodes
        for name, count in node.capacity.items()
        if count != "0" and name.startswith((whole, mig))
    )
    if now or PROVIDERS[provider].naming is ResourceNaming.WHOLE:
        return now or frozenset({whole})
    shared = ".shared" if pool.sharing.replicas > 1 else ""
    profiles = [f"{mig}{format_profile(name)}" for name in pool.sharing.mig]
    return frozenset(f"{name}{shared}" for name in profiles or [whole])


def dealt_quotas(
    bounds: Iterable[ResourceBound], offers: tuple[PoolOffer, ...]
) -> Mapping[str, DealtQuota]:
    """Return the quota of each namespace that has one; those that fit one pool alone come first."""
    dealt: dict[str, DealtQuota] = defaultdict(DealtQuota)
    room = {one.pool: one.allocations for one in offers}
    for bound in sorted(bounds, key=lambda bound: len(bound.offering(offers))):
        quota, pools = dealt[bound.namespace], [one.pool for one in bound.offering(offers)]
        quota.notes += _notes(bound, pools)
        for pool, part in split(bound.count, {pool: room[pool] for pool in pools}).items():
            room[pool] = max(0, room[pool] - part)
            quota.gpus[pool] = quota.gpus.get(pool, 0) + part
    return dealt


def split(count: int, room: Mapping[str, int]) -> dict[str, int]:
    """Return the part of a count for each pool by its room; the first gets what has no room.

    The remainder goes to the smallest parts, so that as many pools as can be have some.
    """
    if not room:
        return {}
    total = sum(room.values())
    fitting = min(count, total)
    parts = {pool: fitting * here // total if total else 0 for pool, here in room.items()}
    for _ in range(fitting - sum(parts.values())):
        roomy = [pool for pool in parts if parts[pool] < room[pool]]
        parts[min(roomy, key=lambda pool: parts[pool])] += 1
    parts[next(iter(room))] += count - fitting
    return {pool: part for pool, part in parts.items() if part}


def _notes(bound: ResourceBound, pools: list[str]) -> Iterator[str]:
    if not pools:
        domains = {one.resource.partition("/")[0] for one in load_vendors().values()}
        is_gpu = bound.resource.partition("/")[0] in domains
        why = "which no pool offers" if is_gpu else "which is no GPU"
        yield f"not carried over: {bound.count} of {bound.resource}, {why}"
    elif len(pools) > 1:
        yield (
            f"{bound.count} of {bound.resource} hold for {', '.join(pools)} together; "
            "they are dealt by size, and Kubernetes counts the sum"
        )
