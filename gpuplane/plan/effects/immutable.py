"""Fields that the API server, or a webhook, lets nobody change.

Those of custom resources come from the rules in their definitions. A sync that changes one fails.
"""

from gpuplane.plan.fields import ChangedField, is_below, value_at
from gpuplane.plan.object_change import ObjectChange
from upstream.immutable_fields import ImmutableField, Reach, committed_immutable_fields


def is_in_topology(change: ObjectChange, _: ChangedField) -> bool:
    return value_at(change.before, "spec", "topologyName") is not None


def is_elastic(change: ObjectChange) -> bool:
    """Return whether a job is one of which completions and parallelism may change together."""
    spec = value_at(change.after, "spec") or {}
    is_indexed = spec.get("completionMode") == "Indexed"
    return is_indexed and spec.get("completions") == spec.get("parallelism")


def was_immutable(change: ObjectChange) -> bool:
    return value_at(change.before, "immutable") is True


def is_refused(change: ObjectChange, field: ChangedField) -> bool:
    """Return whether a rule in the definition of a custom kind refuses a change of a field."""
    kind, _ = change.names
    return any(_refuses(each, field) for each in committed_immutable_fields().get(kind, ()))


def _refuses(immutable: ImmutableField, field: ChangedField) -> bool:
    path = immutable.path
    if not is_below(field.stated_at, path):
        return False
    is_presence = field.stated_at == path and (field.is_added or field.is_removed)
    match immutable.reach:
        case Reach.CHANGE:
            return not is_presence
        case Reach.ONCE_SET:
            return not (is_presence and field.is_added)
        case Reach.PRESENCE:
            return is_presence
