"""The teams of a cluster file: their namespaces, members and priorities."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from charts_py.cluster_file.pool import Purpose
from charts_py.components.gpu_roles import GPU_ADMIN, GPU_USER, GPU_VIEWER
from charts_py.components.registry import component_namespaces
from charts_py.components.webhook.server import NAMESPACE, SETTINGS_CONFIG_MAP, SETTINGS_KEY
from charts_py.objects.metadata import MANAGED_BY
from charts_py.platform.platform_namespaces import KUBERNETES_NAMESPACES
from gpuplane.adoption.commented import Commented, keys_of, note, stated
from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.adoption.quotas import (
    DealtQuota,
    FoundQuota,
    PoolOffer,
    ResourceBound,
    dealt_quotas,
    found_quota,
    quota_fields,
)
from gpuplane.adoption.values import items, listed, strings
from policies.document import value_at
from policies.settings import NamespaceSettings, PodSecurity
from policies.settings_json import SettingsError, read_settings

_MEMBERS: Mapping[str, str] = {
    GPU_USER: "users",
    GPU_VIEWER: "viewers",
    GPU_ADMIN: "admins",
    "edit": "users",
    "view": "viewers",
    "admin": "admins",
}
"""What members are called whose ClusterRole is one of gpuplane's, or of those for people that every
cluster has (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles)."""
_ORDER = ("users", "viewers", "admins")
_ENFORCED = "pod-security.kubernetes.io/enforce"
"""https://kubernetes.io/docs/concepts/security/pod-security-admission/"""
_UNREAD = {"apiVersion": "v1", "kind": "Namespace"}
_UNNAMED = "no label of the namespace names its team, so that the team is called like it"


@dataclass(frozen=True, slots=True)
class FoundNamespace:
    found: FoundObject
    quota: FoundQuota
    limits: tuple[FoundObject, ...]
    bindings: tuple[FoundObject, ...]
    own: NamespaceSettings | None
    """What the settings of gpuplane's own webhook say of it."""


@dataclass(frozen=True, slots=True)
class FoundTeams:
    """The namespaces of a cluster by owner."""

    teams: Mapping[str, tuple[FoundNamespace, ...]]
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
        if name in own:
            continue
        if team is not None:
            teams[team or name].append(namespace)
        elif any(one in gpu_resources for one in namespace.quota.requested()):
            teams[name].append(namespace)
            unnamed.add(name)
        else:
            without_team.append(name)
    found = {team: tuple(teams[team]) for team in sorted(teams)}
    return FoundTeams(found, frozenset(unnamed), tuple(without_team))


def _namespaces(inventory: Inventory) -> Iterator[FoundNamespace]:
    quotas, limits, bindings = (
        _by_namespace(inventory.of(kind)) for kind in ("ResourceQuota", "LimitRange", "RoleBinding")
    )
    found = {one.name: one for one in inventory.of("Namespace", "")}
    settings = _own_settings(inventory)
    for name in sorted({*found, *quotas} - {""}):
        yield FoundNamespace(
            found=found.get(name) or FoundObject({**_UNREAD, "metadata": {"name": name}}, ""),
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


def teams_fields(
    teams: FoundTeams, offers: Iterable[PoolOffer], ladder: Collection[str]
) -> dict[str, Commented]:
    """Return the teams by name; `ladder` are the priority classes that teams may use."""
    bounds = [one for found in teams.teams.values() for each in found for one in _bounds(each)]
    dealt = dealt_quotas(bounds, tuple(offers))
    return {
        name: Commented(
            _team_fields(name, namespaces, dealt, ladder),
            notes=(_UNNAMED,) if name in teams.unnamed else (),
        )
        for name, namespaces in teams.teams.items()
    }


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
        "members": _member_fields(one for each in namespaces for one in each.bindings),
        "priorities": _priorities(namespaces, ladder),
        "namespaces": Commented(
            {
                each.found.name: _namespace_fields(each, dealt.get(each.found.name, DealtQuota()))
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


def _own_settings(inventory: Inventory) -> Mapping[str, NamespaceSettings]:
    for found in inventory.of("ConfigMap", ""):
        text = strings(found.document, "data").get(SETTINGS_KEY)
        is_own = (found.namespace, found.name) == (NAMESPACE, SETTINGS_CONFIG_MAP)
        if is_own and text is not None:
            try:
                return read_settings(text).namespaces
            except SettingsError:
                return {}
    return {}


def _member_fields(bindings: Iterable[FoundObject]) -> Commented:
    """Return the groups that RoleBindings give a role for people; others are noted."""
    members: dict[str, dict[str, str]] = defaultdict(dict)
    lost: list[str] = []
    for found in bindings:
        field = _MEMBERS.get(str(value_at(found.document, ("roleRef", "name"))))
        for subject in items(found.document, "subjects"):
            kind, name = subject.get("kind"), str(subject.get("name"))
            if kind == "Group" and field is not None and not name.startswith("system:"):
                members[field].setdefault(name, str(found))
            elif kind in ("Group", "User"):
                lost.append(f"{kind} {name} of {found}")
    fields = {
        field: Commented(sorted(members[field]), listed(members[field].values()))
        for field in _ORDER
        if field in members
    }
    what = f"not carried over: {listed(lost)}; members are groups with a role for people"
    return Commented(fields, notes=(what,) if lost else ())


def _bounds(namespace: FoundNamespace) -> Iterator[ResourceBound]:
    """Yield what a namespace may request of each extended resource, but for none of it."""
    own = namespace.own
    granted = None if own is None or own.pools is None else frozenset(own.pools)
    for resource, count in namespace.quota.requested().items():
        if count:
            yield ResourceBound(namespace.found.name, resource, count, granted)


def _namespace_fields(namespace: FoundNamespace, dealt: DealtQuota) -> Commented:
    labels = namespace.found.labels
    own = namespace.own
    fields = {
        "purpose": stated(labels, "purpose", [one.value for one in Purpose]),
        "quota": quota_fields(namespace.quota, dealt),
        **_pod_security(labels),
    }
    if own is not None and own.spot:
        fields["spot"] = Commented(value=True, origin="settings of the webhook")
    if own is not None and own.modes:
        fields["rules"] = Commented(dict(own.modes), "settings of the webhook")
    lost = (
        f"not carried over: {limit}; gpuplane computes limits from the pools' nodes"
        for limit in namespace.limits
        if MANAGED_BY.items() - limit.labels.items()
    )
    return Commented(fields, str(namespace.found), tuple(lost))


def _pod_security(labels: Mapping[str, str]) -> dict[str, Commented]:
    """Return the level that is enforced, which is none without a label."""
    level = labels.get(_ENFORCED)
    if level == PodSecurity.RESTRICTED:
        return {}
    origin = f"label {_ENFORCED}" if level else f"no label {_ENFORCED}, so that all is allowed"
    return {"podSecurity": Commented(level or PodSecurity.PRIVILEGED.value, origin)}
