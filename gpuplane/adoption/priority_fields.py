"""The priority classes of a cluster, as the ladder of a cluster file."""

from charts_py.cluster_file.priority import MAX_PRIORITY, Preemption
from gpuplane.adoption.commented import Commented
from gpuplane.adoption.found_object import FoundObject, Inventory

RESERVED_PREFIX = "system-"
"""Begins the names of Kubernetes' own classes
(https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/)."""

_ALLOWED = f"allowed: 0 to {MAX_PRIORITY}"


def priority_fields(inventory: Inventory) -> Commented:
    """Return the classes by name, highest first; empty where a cluster has only Kubernetes' own."""
    classes = [
        found
        for found in inventory.of("PriorityClass", "scheduling.k8s.io")
        if not found.name.startswith(RESERVED_PREFIX)
    ]
    usable = {found.name: value for found in classes if (value := _value(found)) is not None}
    by_name = {found.name: found for found in classes}
    fields = {
        name: _class(by_name[name], usable[name])
        for name in sorted(usable, key=lambda name: (-usable[name], name))
    }
    lost = [
        f"not carried over: {found}, whose value is {found.document.get('value')}; {_ALLOWED}"
        for found in classes
        if found.name not in usable
    ]
    return Commented(fields, notes=tuple(lost))


def _value(found: FoundObject) -> int | None:
    value = found.document.get("value")
    return value if isinstance(value, int) and 0 <= value <= MAX_PRIORITY else None


def _class(found: FoundObject, value: int) -> Commented:
    fields = {"value": Commented(value)}
    if found.document.get("preemptionPolicy") == "Never":
        fields["preemption"] = Commented(Preemption.NEVER.value)
    if description := found.document.get("description"):
        fields["description"] = Commented(" ".join(str(description).split()))
    default = f"not carried over: globalDefault of {found}; the webhook gives pods their class"
    notes = (default,) if found.document.get("globalDefault") is True else ()
    return Commented(fields, str(found), notes)
