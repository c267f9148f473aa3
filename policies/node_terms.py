"""The nodes that a pod selects, held against the labels that the nodes of pools have.

Selecting is read from a pod once, as far as pools can meet it or not, and compared with each pool.
Source: `GetRequiredNodeAffinity` in
https://github.com/kubernetes/component-helpers/blob/master/scheduling/corev1/nodeaffinity/nodeaffinity.go
"""

from collections.abc import Mapping, Sequence
from sys import intern
from typing import TypeAlias

from gpus.platform_names import LABEL_PREFIX, POOL
from policies.document import Json, elements, text
from policies.settings import PoolSettings

Requirement: TypeAlias = tuple[str, str, tuple[str, ...]]
"""The key of a label, an operator, and those of the values that the label has in some pool."""
Term: TypeAlias = tuple[Requirement, ...]
"""Requirements that a node meets all."""

_OURS = f"{LABEL_PREFIX}/"
"""Prefix of labels that only the platform sets: a pool that does not have one lacks it."""
_UNKNOWN = _OURS
"""The key that stands for all labels that certainly no pool has."""
_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
"""Gt and Lt compare numbers, which no label of a pool is."""


def read_selector(selector: Mapping[str, Json], labels: Mapping[str, set[str]]) -> Term:
    """Return what a node selector requires of labels that pools have.

    `labels` are the values of each label in some pool; none where certainly no pool has it.
    """
    term: list[Requirement] = []
    for key, value in selector.items():
        _add(term, key, "In", [value], labels)
    return _distinct(term)


def read_terms(raw: Sequence[Json], labels: Mapping[str, set[str]]) -> tuple[Term, ...] | None:
    """Return the terms of a node affinity, without repeats; None where there are none.

    A term that states nothing matches no node, and is left out.
    """
    if not raw:
        return None
    terms: dict[Term, None] = {}
    for one in raw:
        if states_something(one):
            terms[_read_term(elements(one.get("matchExpressions")), labels)] = None
    return tuple(terms)


def states_something(term: Json) -> bool:
    """Whether some node can match the term; none does without an expression and a field."""
    if type(term) is not dict:
        return False
    return bool(elements(term.get("matchExpressions")) or elements(term.get("matchFields")))


def _read_term(expressions: Sequence[Json], labels: Mapping[str, set[str]]) -> Term:
    term: list[Requirement] = []
    for one in expressions:
        if type(one) is dict:
            operator = text(one.get("operator"))
            _add(term, text(one.get("key")), operator, elements(one.get("values")), labels)
    return _distinct(term)


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
        met = [intern(value) for value in values if type(value) is str and value in known]
        # Most have one value, and each call that is saved counts.
        term.append((intern(key), operator, tuple(sorted(set(met)) if len(met) > 1 else met)))
    elif known is not None or key.startswith(_OURS):
        term.append((_UNKNOWN, operator, ()))


def of_pool(term: Term, *, named: bool) -> Term:
    """Return what the term requires of the label that names the pool.

    Where that must be named, only what names it: a machine of one's own joins without labels, until
    Node Feature Discovery has looked at it, and meets `NotIn` and `DoesNotExist` meanwhile.

    Other labels may be missing for a while, as before GPU feature discovery has run.
    """
    return tuple([one for one in term if one[0] == POOL and (one[1] == "In" or not named)])


def may_meet(pool: PoolSettings, term: Term) -> bool:
    """Whether a node of the pool can meet the term.

    Labels of which nothing is certain may be on any of its nodes, with any value.
    """
    for key, operator, values in term:
        labels = pool.certain_labels.get(key)
        if labels is None:
            if operator in ("In", "Exists") and key.startswith(_OURS):
                return False
        elif not can_meet(labels, operator, values):
            return False
    return True


def can_meet(labels: Sequence[str], operator: str, values: Sequence[Json]) -> bool:
    """Whether one of the values that a label can have meets a requirement; empty is no label."""
    if operator == "DoesNotExist":
        return "" in labels
    for label in labels:
        if operator == "In":
            if label in values:
                return True
        elif operator == "Exists":
            if label:
                return True
        elif operator != "NotIn" or label not in values:
            return True
    return False
