"""The teams of a cluster file."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from charts_py.components.registry import component_namespaces
from charts_py.platform.platform_namespaces import KUBERNETES_NAMESPACES
from gpuplane.adoption.commented import Commented, note
from gpuplane.adoption.found_object import FoundObject, Inventory, strings
from gpuplane.adoption.stated_label import keys_of, stated
from gpuplane.adoption.teams.dealt_quotas import DealtQuota, dealt_quotas
from gpuplane.adoption.teams.found_quota import found_quota
from gpuplane.adoption.teams.member_fields import member_fields
from gpuplane.adoption.teams.namespace_fields import FoundNamespace, bounds_of, namespace_fields
from gpuplane.adoption.teams.own_settings import own_settings
from gpuplane.adoption.teams.pool_offer import PoolOffer


@dataclass(frozen=True, slots=True)
class FoundTeams:
    """The namespaces of a cluster by owner."""

    teams: Mapping[str, tuple[FoundNamespace, ...]]
    """By the name of their team."""
    unnamed: frozenset[str]
    """Teams that go by the name of their namespace, since no label names them."""
    without_team: tuple[str, ...]
    """Namespaces of neither a team nor a quota of GPUs, which gpuplane leaves as they are."""


def found_teams(inventory: Inventory, gpu_resources: Collection[str]) -> FoundTeams:
    """Return the namespaces that a label gives to a team, or that have a quota of GPUs."""
    teams: dict[str, list[FoundNamespace]] = defaultdict(list)
    unnamed: set[str] = set()
    without_team: list[str] = []
    own = component_namespaces() | KUBERNETES_NAMESPACES
    for namespace in _namespaces(inventory):
        name = namespace.found.name
        team = stated(namespace.found.labels, "team").value
        bounds_gpus = any(one in gpu_resources for one in namespace.quota.requested())
        if name in own:
            continue
        if team is None and not bounds_gpus:
            without_team.append(name)
            continue
        if team is None:
            unnamed.add(name)
        teams[team or name].append(namespace)
    found = {team: tuple(teams[team]) for team in sorted(teams)}
    return FoundTeams(found, frozenset(unnamed), tuple(without_team))


def _namespaces(inventory: Inventory) -> Iterator[FoundNamespace]:
    """Yield every namespace by name, also where only objects in it were read."""
    quotas, limits, bindings = (
        _by_namespace(inventory.of(kind)) for kind in ("ResourceQuota", "LimitRange", "RoleBinding")
    )
    found = {one.name: one for one in inventory.of("Namespace", "")}
    settings = own_settings(inventory)
    for name in sorted({*found, *quotas} - {""}):
        yield FoundNamespace(
            found=found.get(name) or _unread(name),
            quota=found_quota(quotas.get(name, ())),
            limits=tuple(limits.get(name, ())),
            bindings=tuple(bindings.get(name, ())),
            own=settings.get(name),
        )


def _by_namespace(objects: Iterable[FoundObject]) -> dict[str, list[FoundObject]]:
    by_namespace: dict[str, list[FoundObject]] = defaultdict(list)
    for found in objects:
        by_namespace[found.namespace].append(found)
    return by_namespace


def _unread(name: str) -> FoundObject:
    document = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    return FoundObject(document, "")


def teams_fields(
    teams: FoundTeams, offers: Iterable[PoolOffer], ladder: Collection[str]
) -> dict[str, Commented]:
    """Return the teams by name; `ladder` are the priority classes that teams may use."""
    bounds = [one for found in teams.teams.values() for each in found for one in bounds_of(each)]
    dealt = dealt_quotas(bounds, tuple(offers))
    return {
        name: Commented(
            _team_fields(name, namespaces, dealt, ladder),
            notes=(_UNNAMED,) if name in teams.unnamed else (),
        )
        for name, namespaces in teams.teams.items()
    }


_UNNAMED = "no label of the namespace names its team, so that the team is called like it"


def _team_fields(
    name: str,
    namespaces: tuple[FoundNamespace, ...],
    dealt: Mapping[str, DealtQuota],
    ladder: Collection[str],
) -> dict[str, Commented]:
    labels = _labels(namespaces)
    project = stated(labels, "project")
    fields = {"owner": _owner(namespaces, labels), "costCenter": stated(labels, "costCenter")}
    if project.value not in (None, name):
        fields["project"] = project
    return {
        **fields,
        "members": member_fields(one for each in namespaces for one in each.bindings),
        "priorities": _priorities(namespaces, ladder),
        "namespaces": Commented(
            {
                each.found.name: namespace_fields(each, dealt.get(each.found.name, DealtQuota()))
                for each in namespaces
            }
        ),
    }


def _labels(namespaces: Iterable[FoundNamespace]) -> dict[str, str]:
    """Return the labels of all namespaces; of one that differs, a key for each value."""
    labels: dict[str, str] = {}
    for each in namespaces:
        for key, value in each.found.labels.items():
            if labels.get(key, value) == value:
                labels[key] = value
            else:
                labels[f"{each.found.name}/{key.rpartition('/')[2]}"] = value
    return labels


def _owner(namespaces: Iterable[FoundNamespace], labels: Mapping[str, str]) -> Commented:
    """Return the mail address that an annotation or a label states."""
    found = {
        value: f"annotation {key}"
        for each in namespaces
        for key, value in strings(each.found.document, "metadata", "annotations").items()
        if key in keys_of({key: value}, "owner") and "@" in value
    }
    if len(found) == 1:
        address, origin = next(iter(found.items()))
        return Commented(address, origin)
    shown = ", ".join([*found, *(labels[key] for key in keys_of(labels, "owner"))])
    said = f"found {shown}" if shown else "nothing names it"
    return note(f"owner: {said}; set one mail address")


def _priorities(namespaces: Iterable[FoundNamespace], ladder: Collection[str]) -> Commented:
    """Return the classes that settings or a quota leave open; all where nothing closes any."""
    stated_here = [name for each in namespaces if each.own for name in each.own.priorities]
    if stated_here:
        return Commented(list(dict.fromkeys(stated_here)), "settings of the webhook")
    closed = {each.found.name: each.quota.priorities for each in namespaces}
    allowed = [name for names in closed.values() if names is not None for name in names]
    if allowed and None not in closed.values():
        return Commented(sorted(set(allowed)), "the ResourceQuotas that leave these out")
    return Commented(sorted(ladder), "all there are: nothing closes any to its namespaces today")
