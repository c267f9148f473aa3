"""Conditions on objects of Kubernetes itself, and on fields that are immutable."""

import re

from gpuplane.plan.fields import ChangedField, is_below
from gpuplane.plan.object_change import ObjectChange
from gpuplane.plan.rollout import Mechanism, Rollout
from policies.document import members, value_at
from policies.settings import PodSecurity
from upstream.immutable_fields import ImmutableField, Reach, committed_immutable_fields

_ON_DELETE = "OnDelete"
_POD_SECURITY = "pod-security.kubernetes.io/"
_ENFORCED = f"{_POD_SECURITY}enforce"
_ENFORCED_VERSION = f"{_ENFORCED}-version"
_MINOR = re.compile(r"v1\.(\d+)")
_HOSTS_FORBIDDEN_SINCE = 34
"""Of the minors since 1.33, that with which the standards forbid more; 1.35 allows more."""
_LOOSEST_FIRST = tuple(reversed(PodSecurity))


def is_pod_security(_: ObjectChange, field: ChangedField) -> bool:
    return field.segments[-1].startswith(_POD_SECURITY)


def is_stricter_pod_security(_: ObjectChange, field: ChangedField) -> bool:
    """Say whether the level that is enforced is a stricter one; without a label, none is."""
    if field.segments[-1] != _ENFORCED:
        return False
    old, new = (
        _LOOSEST_FIRST.index(level) if level in _LOOSEST_FIRST else 0
        for level in (field.old, field.new)
    )
    return old < new


def begins_to_forbid_hosts(change: ObjectChange, field: ChangedField) -> bool:
    """Say whether the enforced standards forbid a host in probes, and did not before."""
    level = value_at(change.after, ("metadata", "labels", _ENFORCED))
    if field.segments[-1] != _ENFORCED_VERSION or level in (None, PodSecurity.PRIVILEGED):
        return False
    old, new = (_MINOR.fullmatch(str(version)) for version in (field.old, field.new))
    return bool(old and new and int(old[1]) < _HOSTS_FORBIDDEN_SINCE <= int(new[1]))


def drops_a_version(change: ObjectChange, _: ChangedField) -> bool:
    old, new = (
        {each["name"] for each in side["spec"]["versions"] if each["served"]}
        for side in change.sides
    )
    return not old <= new


def changes_with_its_target(change: ObjectChange) -> bool:
    """Say whether what an autoscaler scales comes with it, or goes with it."""
    target = value_at(change.document, ("spec", "scaleTargetRef")) or {}
    kept = change.cluster.before.keys() & change.cluster.after.keys()
    namespace = change.placed.key.namespace
    return (target.get("kind"), target.get("name"), namespace) not in {
        (each.key.kind, each.key.name, each.key.namespace) for each in kept
    }


def is_dashboard(change: ObjectChange) -> bool:
    """Say whether a ConfigMap holds nothing but dashboards, as Grafana's sidecar takes them."""
    data = value_at(change.document, ("data",)) or {}
    return bool(data) and all(
        name.endswith(".json") and '"panels"' in text for name, text in data.items()
    )


def waits_for_deletion(change: ObjectChange) -> bool:
    return bool(value_at(change.after, ("spec", "updateStrategy", "type")) == _ON_DELETE)


def begins_to_roll(change: ObjectChange, field: ChangedField) -> bool:
    return field.old == _ON_DELETE and not waits_for_deletion(change)


def is_elastic(change: ObjectChange) -> bool:
    spec = members(value_at(change.after, ("spec",)))
    is_indexed = spec.get("completionMode") == "Indexed"
    return bool(is_indexed and spec.get("completions") == spec.get("parallelism"))


def labels_a_pool(change: ObjectChange) -> bool:
    return bool(change.pools)


def machine_upgrade(change: ObjectChange) -> tuple[Rollout, ...]:
    """Drain one machine after another: nothing says for how long."""
    return tuple(Rollout(Mechanism.MACHINE_UPGRADE, name, limits=("1",)) for name in change.pools)


def was_immutable(change: ObjectChange) -> bool:
    return value_at(change.before, ("immutable",)) is True


def is_refused(change: ObjectChange, field: ChangedField) -> bool:
    """Say whether a rule in the definition of a custom kind refuses a change of a field."""
    known = committed_immutable_fields().get(change.kind, ())
    return any(_refuses(each, field) for each in known)


def _refuses(immutable: ImmutableField, field: ChangedField) -> bool:
    path = immutable.path
    if not is_below(field.declared_at, path):
        return False
    is_presence = field.declared_at == path and (field.is_added or field.is_removed)
    match immutable.reach:
        case Reach.CHANGE:
            return not is_presence
        case Reach.ONCE_SET:
            return not (is_presence and field.is_added)
        case Reach.PRESENCE:
            return is_presence
