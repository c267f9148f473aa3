"""The nodes that a pod selects, held against the labels that the nodes of pools have.

Selecting is read from a pod once, as far as pools can meet it or not, and compared with each pool.
Source: `GetRequiredNodeAffinity` in
https://github.com/kubernetes/component-helpers/blob/master/scheduling/corev1/nodeaffinity/nodeaffinity.go
"""

import re
from collections.abc import Collection, Mapping, Sequence
from sys import intern
from typing import TypeAlias

from gpus.label_values import LIKE, NUMBERS
from gpus.platform_names import LABEL_PREFIX, POOL, is_label_value
from policies.document import Json, elements, members, text
from policies.settings import PoolSettings

Requirement: TypeAlias = tuple[str, str, tuple[str, ...]]
"""The key of a label, an operator, and those values of the label in some pool that meet it."""
Term: TypeAlias = tuple[Requirement, ...]
"""Requirements that a node meets all."""
Expression: TypeAlias = tuple[str, str, Sequence[Json]]
"""The key of a label, an operator and values, as a term states them."""

_OURS = f"{LABEL_PREFIX}/"
"""Prefix of labels that only the platform sets: a pool that does not have one lacks it."""
_UNKNOWN = _OURS
"""The key that stands for all labels that certainly no pool has."""
_UNMEETABLE: Requirement = (_UNKNOWN, "Exists", ())
NEEDING_A_LABEL = ("In", "Exists", "Gt", "Lt")
"""The operators that no node meets without the label."""
_OPERATORS = (*NEEDING_A_LABEL, "NotIn", "DoesNotExist")
_NUMBERS = re.compile(NUMBERS, re.ASCII)
_NUMBER = re.compile("[0-9]{1,18}", re.ASCII)


def read_selector(selector: Mapping[str, Json], labels: Mapping[str, set[str]]) -> Term:
    """Return what a node selector requires of labels that pools have.

    `labels` are the values of each label in some pool; none where certainly no pool has it.
    """
    term: list[Requirement] = []
    for key, value in selector.items():
        _add(term, key, "In", [value], labels)
    return _distinct(term)


def read_terms(
    raw: Sequence[Json], labels: Mapping[str, set[str]], selector: Mapping[str, Json]
) -> tuple[Term, ...] | None:
    """Return the terms of a node affinity, without repeats; None where there are none.

    A term that states nothing matches no node, and is left out. One that opposes itself or the node
    selector matches none either, but says as much of the pool as it did.
    """
    if not raw:
        return None
    terms: dict[Term, None] = {}
    for one in raw:
        if states_something(one):
            stated, term = expressions(one), list[Requirement]()
            for key, operator, values in stated:
                _add(term, key, operator, values, labels)
            if opposed(selector, stated) is not None:
                term.append(_UNMEETABLE)
            terms[_distinct(term)] = None
    return tuple(terms)


def expressions(term: Json) -> list[Expression]:
    """Return what a term states of labels; empty what is not as it should be."""
    return [
        (text(one.get("key")), text(one.get("operator")), elements(one.get("values")))
        for one in map(members, elements(members(term).get("matchExpressions")))
    ]


def opposed(selector: Mapping[str, Json], stated: Sequence[Expression]) -> int | None:
    """Return the index of an expression that no value of its label meets together with others.

    The others are the node selector, and those that state the values which it can have.
    """
    if not selector and len(stated) == 1:  # as most are
        _, operator, given = stated[0]
        return 0 if operator == "In" and not given else None
    keys = {key for key, _, _ in stated}
    left = {key: {text(selector[key])} for key in keys if key in selector}
    for index in _decisive(stated):
        key, operator, given = stated[index]
        if operator == "In":
            values = {text(value) for value in given}
            left[key] = left[key] & values if key in left else values
        elif key in left and operator == "NotIn":
            left[key].difference_update([text(value) for value in given])
        elif key in left:
            left[key] = {label for label in left[key] if _meets(label, operator, given)}
        if key in left and not left[key]:
            return index
    return None


def _decisive(stated: Sequence[Expression]) -> list[int]:
    """Return the indexes of expressions, those first that state values, without looser bounds.

    So that what a label can be is compared with two bounds at most, however many there are.
    """
    first: list[int] = []
    others: list[int] = []
    closest: dict[tuple[str, str], tuple[int, int]] = {}
    for index, (key, operator, given) in enumerate(stated):
        bound = _bound(given) if operator in ("Gt", "Lt") else None
        if bound is None:
            (first if operator == "In" else others).append(index)
            continue
        distance = -bound if operator == "Gt" else bound
        known = closest.get((key, operator))
        if known is None or distance < known[0]:
            closest[(key, operator)] = (distance, index)
    others += [index for _, index in closest.values()]
    return first + sorted(others)


def states_something(term: Json) -> bool:
    """Whether some node can match the term; none does without an expression and a field."""
    if type(term) is not dict:
        return False
    return bool(elements(term.get("matchExpressions")) or elements(term.get("matchFields")))


def names_any(terms: Sequence[Json], keys: Collection[str]) -> bool:
    """Whether an expression of some term names one of these labels."""
    for term in terms:
        for key, _, _ in expressions(term):
            if key in keys:
                return True
    return False


def _distinct(term: list[Requirement]) -> Term:
    return tuple(dict.fromkeys(term) if len(term) > 1 else term)


def _add(
    term: list[Requirement],
    key: str,
    operator: str,
    values: Sequence[Json],
    labels: Mapping[str, set[str]],
) -> None:
    """Add a requirement that pools can meet or not; nothing else that a pod says is kept."""
    if operator not in _OPERATORS:
        return
    # One copy of what pools have, however many pods say it: requirements are cached.
    operator = intern(operator)
    known = labels.get(key)
    if known:
        met = [value for value in known if can_meet(value, operator, values)]
        term.append((intern(key), operator, tuple(sorted(met) if len(met) > 1 else met)))
    elif known is not None or key.startswith(_OURS):
        term.append((_UNKNOWN, operator, ()))


def of_pool(term: Term, *, named: bool) -> Term:
    """Return what the term requires of the label that names the pool.

    With `named`, that is `In` alone: a machine on premises joins without labels, and meets `NotIn`
    and `DoesNotExist` until Node Feature Discovery has run.

    Other labels may be missing for a while, as before GPU feature discovery has run.
    """
    operators = ("In",) if named else ("In", "NotIn", "Exists", "DoesNotExist")
    return tuple([one for one in term if one[0] == POOL and one[1] in operators])


def may_meet(pool: PoolSettings, term: Term) -> bool:
    """Whether a node of the pool can meet the term.

    Labels of which nothing is certain may be on any of its nodes, with any value.
    """
    for key, operator, met in term:
        labels = pool.certain_labels.get(key)
        if labels is None:
            if operator in NEEDING_A_LABEL and key.startswith(_OURS):
                return False
        elif not any(label in met for label in labels):
            return False
    return True


def can_meet(label: str, operator: str, values: Sequence[Json]) -> bool:
    """Whether a label meets a requirement that has this value; empty is no label.

    In place of a value there may be words for several (`gpus.label_values`).
    """
    if not label:
        return operator not in NEEDING_A_LABEL
    is_words = operator == "In" and " " in label
    return _is_one_of(label, values) if is_words else _meets(label, operator, values)


def _meets(label: str, operator: str, values: Collection[Json]) -> bool:
    if operator in ("In", "NotIn"):
        return (label in values) is (operator == "In")
    if operator in ("Gt", "Lt"):
        return _is_beyond(label, operator, values)
    return operator != "DoesNotExist"


def _is_one_of(words: str, values: Sequence[Json]) -> bool:
    bounds, pattern = _bounds(words), words.removeprefix(LIKE)
    if bounds is None and pattern == words:
        return True
    named = [value for value in values if type(value) is str and is_label_value(value)]
    if bounds is None:
        return any(re.search(pattern, value) for value in named)
    return any(value.isdecimal() and bounds[0] <= int(value) <= bounds[1] for value in named)


def _is_beyond(label: str, operator: str, values: Collection[Json]) -> bool:
    """Whether the label can be a number above or below the value, as the scheduler has it."""
    bounds, bound = _bounds(label), _bound(values)
    if bound is None:
        return False
    if bounds is None:
        return " " in label
    return bounds[1] > bound if operator == "Gt" else bounds[0] < bound


def _bound(values: Collection[Json]) -> int | None:
    stated = "".join([text(value) for value in values])
    return int(stated) if len(values) == 1 and _NUMBER.fullmatch(stated) else None


def _bounds(label: str) -> tuple[int, int] | None:
    matched = _NUMBERS.fullmatch(label)
    return None if matched is None else (int(matched[1]), int(matched[2] or matched[1]))
