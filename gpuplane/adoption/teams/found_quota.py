"""What bounds a namespace today."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gpuplane.adoption.found_object import FoundObject, items, strings, texts, whole_number

_REQUESTS = "requests."
_PRIORITY_SCOPE = "PriorityClass"


@dataclass(frozen=True, slots=True)
class FoundQuota:
    """The ResourceQuotas of a namespace as one."""

    hard: Mapping[str, str] = field(default_factory=dict)
    """The bound on each resource."""
    origins: tuple[str, ...] = ()
    priorities: tuple[str, ...] | None = None
    """The classes beyond which no pod is let in; None where all are."""
    notes: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        """The ResourceQuotas, in words."""
        return ", ".join(self.origins)

    def first(self, *names: str) -> str | None:
        """Return the bound on the first of these resources that has one."""
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
            notes += _differing(found, hard, bounds)
            hard = {**bounds, **hard}
        elif (allowed := _only_priorities(found, bounds)) is not None:
            priorities = allowed
        else:
            notes.append(f"not carried over: {found}, which counts pods of a scope alone")
    return FoundQuota(hard, tuple(origins), priorities, tuple(notes))


def _differing(found: FoundObject, hard: Mapping[str, str], bounds: Mapping[str, str]) -> list[str]:
    differing = [name for name, bound in bounds.items() if hard.get(name, bound) != bound]
    shown = ", ".join(f"{name} {bounds[name]}" for name in differing)
    return [f"not carried over: {shown} of {found}; another bounds it too"] if differing else []


def _only_priorities(found: FoundObject, bounds: Mapping[str, str]) -> tuple[str, ...] | None:
    """Return the classes that a quota of no pods leaves out; None where it is another quota."""
    if bounds != {"pods": "0"}:
        return None
    for one in items(found.spec, "scopeSelector", "matchExpressions"):
        if one.get("scopeName") == _PRIORITY_SCOPE and one.get("operator") == "NotIn":
            return texts(one, "values")
    return None
