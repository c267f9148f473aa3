"""What a pod requires of the labels of its node, and no node of the pools that it could use has."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from gpus.nearest import nearest, nearest_hint
from gpus.platform_names import LABEL_PREFIX, POOL
from policies.cel.placement import CERTAIN, meets_expression, meets_selected
from policies.cel.pod import EXPRESSIONS
from policies.cel.text import lines, listed_in_cel, quote, shown_in_cel
from policies.cel.variables import Variables
from policies.document import Json, field_path, listed, pointer, shown, text
from policies.finding import Finding, Severity
from policies.fix import TERMS
from policies.node_terms import NEEDING_A_LABEL, can_meet, expressions, opposed, states_something
from policies.pod import Pod
from policies.reach import Offer
from policies.rule import Message, Rule
from policies.settings import PoolSettings

_UNMET = Message(
    "The pod selects nodes {required}, but there are none in {pools}, where {who} can get "
    "{resources}.",
    "{key} {there}. Correct it in {field}, or leave it out.",
)
_UNSELECTED = Message(
    "The pod selects no nodes of {pools}, where {who} can get {resources}{none}.",
    "Select those of one of them, or none, in {field}.",
)
_TERMS = pointer(*TERMS)
_SELECTOR_FIELD, _TERMS_FIELD = "spec.nodeSelector", "spec.affinity"
_MOST_COMPARED = 128
"""Requirements of which each is held against all before it: a selector can have any number."""
_NOT_THERE = "is not set there"
_JOINTS = {"In": " ", "NotIn": " other than ", "Gt": " above ", "Lt": " below "}
"""What stands between a label and the values that its operator compares it with."""
Table: TypeAlias = Sequence[Mapping[str, tuple[str, ...]]]
"""For each pool, the values of labels that its nodes can have."""


class UnmetLabel(NamedTuple):
    """A requirement that none of the pools meets, in words."""

    path: str
    field: str
    key: str
    required: str
    there: str
    """What the label is on nodes of the pools."""

    def finding(
        self, rule: Rule, message: Message, *, severity: Severity | None = None, **more: object
    ) -> Finding:
        values = {**self._asdict(), **more}
        return rule.finding(message, path=self.path, severity=severity, values=values)


class _Requirement(NamedTuple):
    """What a pod requires of one label."""

    path: str
    field: str
    key: str
    operator: str
    values: Sequence[Json]


def unselected(
    rule: Rule, pod: Pod, able: Sequence[PoolSettings], offer: Offer, who: str
) -> Finding:
    """Refuse a pod that selects no nodes of these pools, which offer what it asks for.

    Where the pod names a pool, the finding says why the nodes of that do not match.
    """
    pools = [pool for pool in able if pool.name == pod.node_selector.get(POOL)] or able
    table = [pool.certain_labels for pool in pools]
    names, resources = listed([pool.name for pool in pools], " or "), ", ".join(pod.gpus)
    found = unmet_label(pod, table, offer.absent_labels)
    if found is not None:
        return found.finding(rule, _UNMET, pools=names, who=who, resources=resources)
    values = {"pools": names, "who": who, "resources": resources}
    values["none"] = _opposed(pod, table, offer.absent_labels)
    path = "/spec/nodeSelector" if pod.node_selector else "/spec/affinity"
    return rule.finding(_UNSELECTED, path=path, field=field_path(path), values=values)


def unmet_label(pod: Pod, table: Table, absent: Set[str] | None = None) -> UnmetLabel | None:
    """Return the first requirement that no pool meets, of the selector or of all terms.

    None where different ones rule out the pools. Where it is known, `absent` has the labels that
    certainly no node has; those of the platform that no pool has are among them.
    """
    for one in _of_selector(pod):
        if not _meeting(table, absent, one):
            return _unmet(table, one)
    first: UnmetLabel | None = None
    for term in _of_terms(pod):
        unmet = [one for one in term if not _meeting(table, absent, one)]
        if not unmet:
            return None
        first = first or _unmet(table, unmet[0])
    return first


def _of_selector(pod: Pod) -> list[_Requirement]:
    return [
        _Requirement(f"/spec/nodeSelector{pointer(key)}", _SELECTOR_FIELD, key, "In", [value])
        for key, value in sorted(pod.node_selector.items())
    ]


def _of_terms(pod: Pod) -> Iterator[list[_Requirement]]:
    for at, term in enumerate(pod.node_terms):
        if states_something(term):
            yield [
                _Requirement(f"{_TERMS}/{at}/matchExpressions/{index}", _TERMS_FIELD, *stated)
                for index, stated in enumerate(expressions(term))
            ]


def _meeting(table: Table, absent: Set[str] | None, one: _Requirement) -> set[int]:
    """Return the places of the pools that meet a requirement."""
    key, operator = one.key, one.operator
    is_absent = absent is not None and (key.startswith(f"{LABEL_PREFIX}/") or key in absent)
    unlisted = not is_absent or operator not in NEEDING_A_LABEL
    return {
        at
        for at, labels in enumerate(table)
        if any(can_meet(label, operator, one.values) for label in labels.get(key, ()))
        or (unlisted and key not in labels)
    }


def _opposed(pod: Pod, table: Table, absent: Set[str]) -> str:
    """Name two requirements, of the selector and the first term, that exclude each other."""
    term = next(_of_terms(pod), [])
    every = [*_of_selector(pod), *term]
    at = opposed(pod.node_selector, [(one.key, one.operator, one.values) for one in term])
    if at is not None:
        same = [one for one in every if one.key == term[at].key and one is not term[at]]
        return f"; none is {_words(same[0])} and {_words(term[at])}" if same else ""
    before: list[tuple[_Requirement, set[int]]] = []
    for second in every[:_MOST_COMPARED]:
        meeting = _meeting(table, absent, second)
        for first, places in before:
            if not places & meeting:
                return f"; none is {_words(first)} and {_words(second)}"
        before.append((second, meeting))
    return ""


def _unmet(table: Table, one: _Requirement) -> UnmetLabel:
    there = sorted({value for labels in table for value in labels.get(one.key, ()) if value})
    said = text(one.values[0]) if one.values else ""
    close = nearest_hint(nearest(said, there)[:1]) if said and len(there) > 1 else ""
    is_there = f"is {' or '.join(there)} there{close}" if there else _NOT_THERE
    return UnmetLabel(one.path, one.field, shown(one.key), _words(one), is_there)


def _words(one: _Requirement) -> str:
    key, joint = shown(one.key), _JOINTS.get(one.operator)
    start = "without" if one.operator == "DoesNotExist" else "with"
    said = listed([text(value) for value in one.values], " or ")
    return f"{start} {key}" if joint is None else f"{start} {key}{joint}{said}"


_NONE = quote("")


def unmet_variables(prefix: str, pools: str, table: str = CERTAIN) -> Variables:
    """Return variables in CEL that hold the first requirement that no pool meets.

    They are several, since an expression may be nested only so deep.
    """
    own = _own(prefix)
    label, operator = f"{own}_label", f"{own}_operator"
    is_selected, is_required = f"size({own}_key) > 0", f"size({own}_expression) > 0"
    expression = f"{own}_expression[0]"
    own_values = f"{table}[pool][?{label}].orValue([])"
    variables = {
        "keys": f"variables.node_selector.filter(key, {pools}.all(pool, !{meets_selected(table)}))",
        "key": f"{own}_keys.filter(key, {own}_keys.all(other, key <= other))",
        "expressions": f"variables.terms.map(term, {EXPRESSIONS}.filter(expression,"
        f" {pools}.all(pool, !{meets_expression(table)})))",
        "expression": f"size({own}_expressions) > 0"
        f" && {own}_expressions.all(each, size(each) > 0) ? [{own}_expressions[0][0]] : []",
        "label": f"{is_selected} ? {own}_key[0] : {is_required} ? {expression}.key : {_NONE}",
        "operator": f"{is_selected} ? {quote('In')} : {is_required} ? {expression}.operator"
        f" : {_NONE}",
        "values": f"{is_selected} ? [variables.node_selector[{label}]]"
        f" : {is_required} ? {expression}.?values.orValue([]) : []",
        "shown": shown_in_cel(label),
        "listed": listed_in_cel(f"{own}_values", " or "),
        "required": f"({operator} == {quote('DoesNotExist')} ? {quote('without ')}"
        f" : {quote('with ')}) + {own}_shown + ({operator} in {lines(_JOINTS)}"
        f" ? {lines(_JOINTS)}[{operator}] + {own}_listed : {_NONE})",
        "set": f"variables.label_values[?{label}].orValue([]).filter(value,"
        f" {pools}.exists(pool, value in {own_values}))",
        "there": f"size({own}_set) > 0"
        f" ? {quote('is ')} + {own}_set.join({quote(' or ')}) + {quote(' there')}"
        f" : {quote(_NOT_THERE)}",
    }
    return {f"{own}_{name}".removeprefix("variables."): each for name, each in variables.items()}


def _own(prefix: str) -> str:
    return f"variables.{prefix}_unmet"


def is_unmet(prefix: str) -> str:
    return f"{_own(prefix)}_label != {_NONE}"


def unmet_parts(prefix: str) -> dict[str, str]:
    """Return CEL for its parts, by their names in a message."""
    own = _own(prefix)
    selected, required = quote(_SELECTOR_FIELD), quote(_TERMS_FIELD)
    return {
        "required": f"{own}_required",
        "key": f"{own}_shown",
        "there": f"{own}_there",
        "field": f"(size({own}_key) > 0 ? {selected} : {required})",
    }


def unselected_variables(prefix: str, able: str, who: str) -> Variables:
    """Return variables in CEL; `unselected` says why a pod is refused that selects no able pool."""
    own = f"variables.{prefix}"
    selected = f"variables.node_selector[?{quote(POOL)}].orValue({_NONE})"
    selector, terms = quote(_SELECTOR_FIELD), quote(_TERMS_FIELD)
    values = {
        "who": who,
        "resources": f"variables.wanted.join({quote(', ')})",
        "pools": f"{own}_listed",
    }
    unmet = _UNMET.in_cel(**values, **unmet_parts(prefix))
    field = f"(size(variables.node_selector) > 0 ? {selector} : {terms})"
    return {
        f"{prefix}_named": f"{selected} in {able} ? [{selected}] : {able}",
        f"{prefix}_listed": listed_in_cel(f"{own}_named", " or "),
        **unmet_variables(prefix, f"{own}_named"),
        f"{prefix}_unselected": f"{is_unmet(prefix)} ? {unmet}"
        f" : {_UNSELECTED.in_cel(**values, field=field, none=_NONE)}",
    }
