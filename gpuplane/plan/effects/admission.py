"""Conditions on admission policies: whether they refuse what nothing has refused so far."""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.components.admission_policies.pods import NAMES
from charts_py.components.webhook.server import NAMESPACE
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from gpuplane.plan.fields import ChangedField, kind_of
from gpuplane.plan.object_change import ObjectChange
from gpuplane.versions.comparison import PlacedDocuments
from gpus.platform_names import LABEL_PREFIX
from policies.document import members, value_at
from policies.in_cel.action import Action

_SELECTOR = "namespaceSelector"
_PODS_DENIED = f"pods-{NAMES[Action.DENY]}.{LABEL_PREFIX}"


def denies(change: ObjectChange) -> bool:
    """Say whether a binding refuses what its policy does not hold for."""
    return Action.DENY in (value_at(change.document, ("spec", "validationActions")) or ())


def is_denying(change: ObjectChange) -> bool:
    """Say whether a binding refuses what a policy does not hold for, afterwards."""
    bindings = _policies(change.cluster.after, f"{change.kind.replace('.', 'Binding.', 1)}")
    name = change.placed.key.name
    return any(
        each.get("policyName") == name and Action.DENY in (each.get("validationActions") or ())
        for each in bindings.values()
    )


def begins_to_deny(change: ObjectChange, _: ChangedField) -> bool:
    denied = value_at(change.before, ("spec", "validationActions")) or ()
    return denies(change) and Action.DENY not in denied


def policies_judged_pods(change: ObjectChange) -> bool:
    """Say whether policies in the API server have refused pods by the same rules so far."""
    return any(each.key.name == _PODS_DENIED for each in change.cluster.before)


def webhook_goes(change: ObjectChange) -> bool:
    """Say whether the namespace of the webhook goes, and all that is in it."""
    return not any(
        (each.key.kind, each.key.name) == ("Namespace", NAMESPACE) for each in change.cluster.after
    )


def is_renamed_policy(change: ObjectChange) -> bool:
    """Say whether a policy, or its binding, has another name on the other side.

    A policy of some namespaces is named after its rule and the first of them, as in
    `granted-pools.search.gpuplane.io`, and so has another name once another one is the first.
    """
    before, after = change.cluster.before, change.cluster.after
    own, others = (before, after) if change.after is None else (after, before)
    name, kind = change.placed.key.name, change.kind.replace("Binding.", ".")
    spec = _policies(own, kind).get(name, {})
    there = {each.key.name for each in others if each.key.kind == "Namespace"}
    judged = {
        namespace
        for other, found in _policies(others, kind).items()
        if other.partition(".")[0] == name.partition(".")[0] and _judges_alike(found, spec)
        for namespace in _namespaces(found)
    }
    left = there.intersection(_namespaces(spec))
    return bool(left) and left <= judged


def is_of_new_namespaces(change: ObjectChange) -> bool:
    spec = members(change.document.get("spec"))
    judged = frozenset(_namespaces(spec, "matchResources"))
    return bool(judged) and judged.isdisjoint(change.cluster.namespaces_before)


def _policies(documents: PlacedDocuments, kind: str) -> dict[str, Mapping[str, Any]]:
    return {
        placed.key.name: members(document.get("spec"))
        for placed, document in documents.items()
        if kind_of(placed.key) == kind
    }


def _judges_alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether policies judge in the same way, be it other namespaces."""
    first, second = (
        {**each, "matchConstraints": {**members(each.get("matchConstraints")), _SELECTOR: None}}
        for each in (one, other)
    )
    return first == second


def _namespaces(spec: Mapping[str, Any], matched: str = "matchConstraints") -> Iterator[str]:
    """Yield the namespaces that a policy names, or a binding where it has `matchResources`."""
    for each in value_at(spec, (matched, _SELECTOR, "matchExpressions")) or ():
        if (each.get("key"), each.get("operator")) == (NAMESPACE_NAME_LABEL, "In"):
            yield from each.get("values", ())
