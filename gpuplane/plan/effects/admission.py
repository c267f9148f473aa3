"""Conditions on admission policies: whether they refuse what nothing has refused so far."""

from charts_py.components.admission_policies.pods import NAMES
from gpuplane.plan.fields import ChangedField
from gpuplane.plan.object_change import ObjectChange
from gpus.platform_names import LABEL_PREFIX
from policies.document import value_at
from policies.in_cel.action import Action

_PODS_DENIED = f"pods-{NAMES[Action.DENY]}.{LABEL_PREFIX}"


def denies(change: ObjectChange) -> bool:
    """Say whether a binding refuses what its policy does not hold for."""
    return Action.DENY in (value_at(change.document, ("spec", "validationActions")) or ())


def begins_to_deny(change: ObjectChange, _: ChangedField) -> bool:
    denied = value_at(change.before, ("spec", "validationActions")) or ()
    return denies(change) and Action.DENY not in denied


def policies_judged_pods(change: ObjectChange) -> bool:
    """Say whether policies in the API server have refused pods by the same rules so far."""
    return any(each.key.name == _PODS_DENIED for each in change.cluster.before)
