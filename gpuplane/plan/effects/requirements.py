"""Whether nodes that fit the requirements of a NodePool still fit others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

Requirement: TypeAlias = Mapping[str, Any]
"""With `key`, `operator` and `values`, as a NodePool has it."""


def narrowed_keys(old: Sequence[Requirement], new: Sequence[Requirement]) -> Iterator[str]:
    """Yield the labels by which nodes that fit the old requirements may not fit the new ones."""
    for wanted in new:
        same_label = [held for held in old if held["key"] == wanted["key"]]
        if not any(_implies(held, wanted) for held in same_label):
            yield wanted["key"]


def _implies(held: Requirement, wanted: Requirement) -> bool:
    """Return whether each value that one requirement lets through, the other does, too."""
    values = set(held.get("values", ()))
    allowed = set(wanted.get("values", ()))
    match held["operator"], wanted["operator"]:
        case "In", "In":
            return values <= allowed
        case "In", "NotIn":
            return not values & allowed
        case "NotIn", "NotIn":
            return values >= allowed
        case "In", ("Gt" | "Gte" | "Lt" | "Lte" as operator):
            return all(_is_within(value, operator, min(allowed)) for value in values)
        case ("Gt", "Gt") | ("Gte", "Gte"):
            return int(min(values)) >= int(min(allowed))
        case ("Lt", "Lt") | ("Lte", "Lte"):
            return int(min(values)) <= int(min(allowed))
        case (("In" | "Exists" | "Gt" | "Gte" | "Lt" | "Lte"), "Exists"):
            return True
        case "DoesNotExist", ("DoesNotExist" | "NotIn"):
            return True
    return False


def _is_within(value: str, operator: str, bound: str) -> bool:
    if not value.isdecimal():
        return False
    number, limit = int(value), int(bound)
    return {
        "Gt": number > limit,
        "Gte": number >= limit,
        "Lt": number < limit,
        "Lte": number <= limit,
    }[operator]
