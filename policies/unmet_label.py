"""What a pod requires of the labels of its node, and no node of the pools that it could use has."""

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple, TypeAlias

from gpus.nearest import nearest, nearest_hint
from gpus.platform_names import LABEL_PREFIX, POOL
from policies.cel.placement import CERTAIN, meets_expression, meets_selected
from policies.cel.pod import EXPRESSIONS, REQUIRED
from policies.cel.text import listed_in_cel, quote, shown_in_cel
from policies.cel.variables import Variables
from policies.document import Json, elements, listed, members, pointer, shown, text
from policies.finding import Finding
from policies.node_terms import can_meet, states_something
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
    "The pod selects no nodes of {pools}, where {who} can get {resources}.",
    "Select those of one of them, or none, in {field}.",
)
_TERMS = f"/spec/affinity/nodeAffinity/{REQUIRED}/nodeSelectorTerms"
_SELECTOR_FIELD, _TERMS_FIELD = "spec.nodeSelector", "spec.affinity"
_NOT_THERE = "is not set there"
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


def unselected(
    rule: Rule, pod: Pod, able: Sequence[PoolSettings], offer: Offer, who: str
) -> Finding:
    """Refuse a pod that selects no nodes of these pools, which offer what it asks for.

    Of a pool that it selects by name it says why no node of that can be meant.
    """
    pools = [pool for pool in able if pool.name == pod.node_selector.get(POOL)] or able
    found = unmet_label(pod, [pool.certain_labels for pool in pools], offer.absent_labels)
    path = "/spec/nodeSelector" if pod.node_selector else "/spec/affinity"
    values: dict[str, str] = {"path": path, "field": path[1:].replace("/", ".")}
    if found is not None:
        values = found._asdict()
    values["pools"] = listed([pool.name for pool in pools], " or ")
    values |= {"who": who, "resources": ", ".join(pod.gpus)}
    message = _UNSELECTED if found is None else _UNMET
    return rule.finding(message, path=values.pop("path"), values=values)


def unmet_label(pod: Pod, table: Table, absent: Set[str] | None = None) -> UnmetLabel | None:
    """Return the first requirement that no pool meets, of the selector or of all terms.

    None where different ones rule out the pools. Where it is known, `absent` has the labels that
    certainly no node has; those of the platform that no pool has are among them.
    """
    for key in sorted(pod.node_selector):
        values = [pod.node_selector[key]]
        if _is_unmet(table, absent, key, "In", values):
            path = f"/spec/nodeSelector{pointer(key)}"
            return _unmet(table, path, _SELECTOR_FIELD, key, "In", values)
    first: UnmetLabel | None = None
    for index, term in enumerate(pod.node_terms):
        if states_something(term):
            found = _of_term(term, f"{_TERMS}/{index}/matchExpressions", table, absent)
            if found is None:
                return None
            first = first or found
    return first


def _of_term(term: Json, path: str, table: Table, absent: Set[str] | None) -> UnmetLabel | None:
    for index, raw in enumerate(elements(members(term).get("matchExpressions"))):
        one = members(raw)
        key, operator = text(one.get("key")), text(one.get("operator"))
        values = elements(one.get("values"))
        if _is_unmet(table, absent, key, operator, values):
            return _unmet(table, f"{path}/{index}", _TERMS_FIELD, key, operator, values)
    return None


def _is_unmet(
    table: Table, absent: Set[str] | None, key: str, operator: str, values: Sequence[Json]
) -> bool:
    is_absent = absent is not None and (key.startswith(f"{LABEL_PREFIX}/") or key in absent)
    for labels in table:
        if key in labels:
            if can_meet(labels[key], operator, values):
                return False
        elif not is_absent or operator not in ("In", "Exists"):
            return False
    return True


def _unmet(
    table: Table, path: str, field: str, key: str, operator: str, values: Sequence[Json]
) -> UnmetLabel:
    said = [text(value) for value in values]
    there = sorted({value for labels in table for value in labels.get(key, ()) if value})
    close = nearest_hint(nearest(said[0], there)[:1]) if said and len(there) > 1 else ""
    is_there = f"is {' or '.join(there)} there{close}" if there else _NOT_THERE
    return UnmetLabel(path, field, shown(key), _in_words(shown(key), operator, said), is_there)


def _in_words(key: str, operator: str, values: Sequence[str]) -> str:
    joints = {"In": " ", "NotIn": " other than "}
    start = "without" if operator == "DoesNotExist" else "with"
    joint = joints.get(operator)
    return f"{start} {key}" if joint is None else f"{start} {key}{joint}{listed(values, ' or ')}"


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
        f" : {quote('with ')}) + {own}_shown + ({operator} == {quote('In')}"
        f" ? {quote(' ')} + {own}_listed : {operator} == {quote('NotIn')}"
        f" ? {quote(' other than ')} + {own}_listed : {_NONE})",
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
    """Return CEL for whether there is one."""
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
        f" : {_UNSELECTED.in_cel(**values, field=field)}",
    }
