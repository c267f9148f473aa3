"""What components add to objects that are not their own: rights, taints, namespaces, alerts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from gpus.taint import Taint
from policies.settings import QueuePriority, QueueScheduler

if TYPE_CHECKING:
    from charts_py.platform.metrics_collection import RuleGroup, ScrapeTarget
    from policies.settings import PodSecurity


@dataclass(frozen=True, slots=True)
class Gangs:
    """The jobs whose pods an engine of queues starts all at once."""

    makes: Callable[[str, str], bool]
    """Returns whether it does so with a job of an `apiVersion` and a `kind` that does not ask for
    it."""
    min_member: str | None = None
    """Annotation of a Job with the number of its pods that start at once."""
    counts_leaders: bool = False
    """Whether a gang waits for pods without GPUs, too, so that these need the same scheduler."""
    others: str = ""
    """What it does with others, and what to take instead: a part of a sentence."""


@dataclass(frozen=True, slots=True)
class PlatformNamespace:
    """A namespace that a component makes for itself."""

    name: str
    pod_security: PodSecurity
    """What its pods are held to, enforced and reported."""
    confirmed_removal: bool = False
    """Whether a person confirms its removal, since what stands in it cannot be applied again."""
    goes_last: bool = False
    """Whether it has an Application of its own, which is removed once all else is synced.

    One that moves between Applications is at risk: both apply it until one of them gives it up.
    """
    made_elsewhere: bool = False
    """Whether another component than `namespaces` makes it, or none does."""


@dataclass(frozen=True, slots=True)
class Controller:
    """A Deployment that is alerted on while no replica of it is available."""

    namespace: str
    deployment: str
    effect: str = ""
    """What stops meanwhile, as the end of a sentence; empty where no GPU pod of a team starts."""


class Use(StrEnum):
    """What the members of a team do with a kind of objects; but for one, in their namespaces."""

    RUN = "run"
    """Users create and change them; viewers read them."""
    READ = "read"
    """All read them; nobody in the team writes them."""
    CHANGE = "change"
    """Users read and change what is part of something, such as `deployments/scale`."""
    CONNECT = "connect"
    """Users open a stream into a running container, such as `pods/exec`. It acts as the pod does,
    so that viewers cannot, not even with the verb `get`."""
    ADMINISTER = "administer"
    """Admins alone read and write them."""
    AUDIT = "audit"
    """Admins alone read them; nobody in the team writes them."""
    ADJUST = "adjust"
    """Admins patch them, as far as a policy of the API server lets them."""
    LOOK_UP = "look up"
    """All read them, in no namespace: what the jobs of every team name."""


@dataclass(frozen=True, slots=True)
class Access:
    """A right of every team on resources of an API group; the core group is empty."""

    group: str
    resources: tuple[str, ...]
    """Resources with their subresources, as `jobs` and `jobs/status`."""
    use: Use


@dataclass(frozen=True, slots=True)
class TeamAdditions:
    objects: tuple[Mapping[str, Any], ...] = ()
    """Objects that stand in it, such as a queue."""
    annotations: Mapping[str, str] = field(default_factory=dict)
    """Annotations of the Namespace itself."""
    quota: Mapping[str, str] = field(default_factory=dict)
    """Further bounds of its ResourceQuota."""
    network_policies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Further `spec`s of NetworkPolicies, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What a component, or all components of a platform together, add to objects of others."""

    namespaces: tuple[PlatformNamespace, ...] = ()
    """Namespaces of its own: no team can have them, and admission leaves them alone."""
    reserved_priority_classes: tuple[str, ...] = ()
    """Priority classes that no team's pods may name."""
    exempt_service_accounts: tuple[str, ...] = ()
    """Service accounts, as `namespace/name`, whose pods admission leaves alone."""
    startup_taints: Mapping[str, tuple[Taint, ...]] = field(default_factory=dict)
    """Taints, by pool, that its nodes start with until something takes them off; daemons alone
    tolerate them. A pool has them only where the provisioner puts them on."""
    health_taints: tuple[Taint, ...] = ()
    """Taints that nodes get while something of theirs is broken; daemons alone tolerate them."""
    daemons: tuple[tuple[str, Mapping[str, str]], ...] = ()
    """Pools on each of whose nodes it runs a daemon, and the CPU and memory that this requests."""
    controllers: tuple[Controller, ...] = ()
    """Its Deployments that somebody has to look at where they do not run."""
    access: tuple[Access, ...] = ()
    """Rights of every team in its namespaces."""
    queue_scheduler: QueueScheduler | None = None
    """The scheduler of GPU pods; None where it is that of Kubernetes."""
    uncounted: tuple[str, ...] | None = None
    """What the names of resources begin with that queues do not count; a job that asks for one that
    they neither count nor leave out never starts. None where they start it nonetheless."""
    queue_priority: QueuePriority | None = None
    """How queues know who comes first; None without queues."""
    gangs: Gangs | None = None
    """The jobs whose pods queues start all at once; None without queues."""
    teams: Mapping[str, Mapping[str, TeamAdditions]] = field(default_factory=dict)
    """Additions by namespace, then by component."""

    def __add__(self, other: Contribution) -> Contribution:
        startup_taints, teams = dict(self.startup_taints), dict(self.teams)
        for pool, taints in other.startup_taints.items():
            startup_taints[pool] = (*startup_taints.get(pool, ()), *taints)
        for namespace, added in other.teams.items():
            teams[namespace] = {**teams.get(namespace, {}), **added}
        return Contribution(
            namespaces=(*self.namespaces, *other.namespaces),
            reserved_priority_classes=(
                *self.reserved_priority_classes,
                *other.reserved_priority_classes,
            ),
            exempt_service_accounts=(*self.exempt_service_accounts, *other.exempt_service_accounts),
            startup_taints=startup_taints,
            health_taints=(*self.health_taints, *other.health_taints),
            daemons=(*self.daemons, *other.daemons),
            controllers=(*self.controllers, *other.controllers),
            access=(*self.access, *other.access),
            queue_scheduler=self.queue_scheduler or other.queue_scheduler,
            uncounted=other.uncounted if self.uncounted is None else self.uncounted,
            queue_priority=self.queue_priority or other.queue_priority,
            gangs=self.gangs or other.gangs,
            teams=teams,
        )


NOTHING = Contribution()


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """What Prometheus reads of the components of a platform; nothing where it has no monitoring."""

    scraped: tuple[ScrapeTarget, ...] = ()
    rules: tuple[RuleGroup, ...] = ()
    """What it records and alerts on."""
