"""What a LabelSelector selects.

https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from policies.document import Json, elements, members, text

Selector: TypeAlias = Mapping[str, Any]
_Term: TypeAlias = tuple[str, str, list[Json]]
"""Key, operator and values."""


def selects(
    selector: Selector, labels: Mapping[str, Json], known_keys: set[str] | None = None
) -> bool:
    """Whether a selector selects labels.

    None does that reads keys which are not known here, or has an operator that Kubernetes does not
    know, which the API server refuses.
    """
    return all(
        (known_keys is None or term[0] in known_keys) and _holds(term, labels)
        for term in _terms(selector)
    )


def includes(selector: Selector, other: Selector) -> bool:
    """Whether a selector selects all that another one does, as far as their terms tell."""
    labels, terms = members(other.get("matchLabels")), [*_terms(other)]
    return all(
        term in terms or (term[0] in labels and _holds(term, labels)) for term in _terms(selector)
    )


def keys_of(selector: Selector) -> frozenset[str]:
    """Return the keys of the labels that a selector reads."""
    return frozenset(key for key, *_ in _terms(selector))


def _terms(selector: Selector) -> Iterator[_Term]:
    for key, value in members(selector.get("matchLabels")).items():
        yield key, "In", [value]
    for each in map(members, elements(selector.get("matchExpressions"))):
        yield text(each.get("key")), text(each.get("operator")), [*elements(each.get("values"))]


def _holds(term: _Term, labels: Mapping[str, Json]) -> bool:
    key, operator, values = term
    holds = {
        "In": labels.get(key) in values,
        "NotIn": labels.get(key) not in values,
        "Exists": key in labels,
        "DoesNotExist": key not in labels,
    }
    return holds.get(operator, False)
