"""A pod's annotations say which GPUs it needs, and become node affinity for the scheduler."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gpus.nearest import nearest, nearest_hint
from gpus.platform_names import (
    GPU_MODEL,
    INTERCONNECT,
    LABEL_VALUE,
    MAX_LABEL_VALUE,
    NVLINK,
    is_label_value,
)
from policies.cel.placement import label_of_pool
from policies.cel.pod import ANNOTATIONS, EXPRESSIONS, STATES_SOMETHING, VALUES
from policies.cel.text import listed_in_cel, quote, shown_in_cel, texts, texts_in_order
from policies.cel.variables import Variables
from policies.document import Json, listed, pointer, shown, text
from policies.finding import Finding, Severity
from policies.fix import add_term, add_to_term, required, required_of_node
from policies.node_terms import expressions, states_something
from policies.operation import Operation
from policies.pod import Pod
from policies.rule import Context, InCel, Message, Rule
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings

KEYS = (GPU_MODEL, INTERCONNECT, NVLINK)
_WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""As `trim` has it in CEL: the characters of Unicode's property White_Space
(https://www.unicode.org/Public/UCD/latest/ucd/PropList.txt)."""

_UNREQUIRED = Message(
    "The pod is annotated with {named}, but may run on any node.",
    "Require the node label of the same name in spec.affinity.nodeAffinity.",
)
_MALFORMED_VALUE = Message(
    "The pod is annotated with {key} {value}, which no node label can be.",
    f"Use at most {MAX_LABEL_VALUE} letters, digits and .-_ that begin and end with a letter or "
    "digit; separate several values by commas.",
)
_CONTRADICTED = Message(
    "The pod is annotated with {key} {values}, but its node {own}.", "Keep one of them."
)
_IMPOSSIBLE_VALUES = Message(
    "The pod is annotated with {key} {values}, but no such pool offers what it asks for.",
    "Allowed: {allowed}.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Require the node labels that the pod's annotations name; refuse what no node can have.

    Terms of its own that admit other values are narrowed; a selector that rules them out is not.
    """
    return () if pod.annotations.keys().isdisjoint(KEYS) else _unmet(pod, context)


def _unmet(pod: Pod, context: Context) -> Iterator[Finding]:
    annotations = pod.annotations
    said = {key: _values(annotations[key]) for key in KEYS if key in annotations}
    wanted = {key: values for key, values in said.items() if values}
    if not wanted:
        return
    wrong = [*_malformed(wanted), *_contradicted(pod, wanted)]
    if not wrong:
        wrong += _impossible(wanted, context.reach(pod).pools or context.offer.pools)
    if wrong:
        yield from wrong
        return
    missing = _missing(pod, wanted, context.offer.labels)
    fix = _fix(pod, missing) if missing else ()
    if fix:
        named = " and ".join([f"{key} {' or '.join(values)}" for key, values in missing.items()])
        yield RULE.finding(_UNREQUIRED, path="/spec/affinity", fix=fix, named=named)


def _malformed(wanted: Mapping[str, list[str]]) -> Iterator[Finding]:
    """Refuse what can be no label: as a term it would be refused in a field nobody wrote."""
    for key, values in wanted.items():
        for value in values:
            if not is_label_value(value):
                yield _refusal(_MALFORMED_VALUE, key, value=shown(value))
                break


def _contradicted(pod: Pod, wanted: Mapping[str, list[str]]) -> Iterator[Finding]:
    """Refuse what the pod's own node selector or node affinity rules out."""
    for key, values in wanted.items():
        selected = pod.node_selector.get(key)
        if selected is not None and selected not in values:
            own = f"selector requires {shown(selected)}"
        elif others := _required_instead(pod, key, values):
            own = f"affinity requires {listed(others, ' or ')}"
        else:
            continue
        yield _refusal(_CONTRADICTED, key, values=listed(values, " or "), own=own)


def _required_instead(pod: Pod, key: str, values: Sequence[str]) -> list[str]:
    """Return what the first term requires of a label where none admits one of the values."""
    instead: list[str] = []
    for term in filter(states_something, pod.node_terms):
        own = [each for each in _values_in(term, key) if {*each}.isdisjoint(values)]
        if not own:
            return []
        instead = instead or own[0]
    return instead


def _values_in(term: Json, key: str) -> list[list[str]]:
    """Return, for each expression by which a term requires some values of the label, these."""
    return [
        [text(value) for value in values]
        for stated, operator, values in expressions(term)
        if stated == key and operator == "In" and values
    ]


def _refusal(message: Message, key: str, **values: object) -> Finding:
    path = f"/metadata/annotations{pointer(key)}"
    return RULE.finding(message, path=path, key=key, values=values)


def _values(annotation: Json) -> list[str]:
    stripped = [value.strip(_WHITE_SPACE) for value in text(annotation).split(",")]
    return [value for value in stripped if value]


def _missing(
    pod: Pod, wanted: Mapping[str, list[str]], labels: Mapping[str, set[str]]
) -> dict[str, list[str]]:
    """Return what the node selector does not require yet, of the values that some pool has.

    Others would be repeated in each term, and an annotation can hold thousands of them.
    """
    return {
        key: list(dict.fromkeys([value for value in values if value in labels.get(key, ())]))
        for key, values in wanted.items()
        if key not in pod.node_selector
    }


def _impossible(
    wanted: Mapping[str, list[str]], pools: Sequence[PoolSettings]
) -> Iterator[Finding]:
    for key, values in wanted.items():
        offered = sorted({pool.labels[key] for pool in pools if key in pool.labels})
        if offered_values := set(offered) & set(values):
            pools = [pool for pool in pools if pool.labels.get(key) in offered_values]
            continue
        hint = nearest_hint(nearest(values[0], offered)[:1])
        allowed = f"{', '.join(offered) or 'none'}{hint}"
        yield _refusal(_IMPOSSIBLE_VALUES, key, values=listed(values, " or "), allowed=allowed)


def _fix(pod: Pod, missing: Mapping[str, list[str]]) -> tuple[Operation, ...]:
    if not pod.node_terms:
        needed = [{"key": k, "operator": "In", "values": v} for k, v in missing.items()]
        return add_term(pod, needed)
    operations: list[Operation] = []
    for index, term in enumerate(pod.node_terms):
        if not states_something(term):
            continue  # it matches no node, which must stay so
        lacking = [
            {"key": key, "operator": "In", "values": values}
            for key, values in missing.items()
            # What admits other values, too, is narrowed.
            if not any({*own} <= {*values} for own in _values_in(term, key))
        ]
        if lacking:
            operations += add_to_term(pod, index, lacking)
    return tuple(operations)


_WRONG = "variables.node_affinity_wrong"
_MISSING = "variables.node_affinity_missing"
_IMPOSSIBLE = "variables.node_affinity_impossible"
_IS_VALUE = f"(size(value) <= {MAX_LABEL_VALUE} && value.matches({quote(f'^{LABEL_VALUE}$')}))"


def _said(key: str) -> str:
    return f"variables.node_affinity_{_short(key)}"


def _known(key: str) -> str:
    return f"{_said(key)}_known"


def _left(key: str) -> str:
    """Return the variable that holds the pools that meet an annotation and those before it."""
    return f"{_said(key)}_pools"


def _short(key: str) -> str:
    return key.rpartition("/")[2].replace("-", "_")


def _in_term(key: str, condition: str) -> str:
    """Return CEL for the expressions of a term that require values of a label, if this is true."""
    return (
        f"{EXPRESSIONS}.filter(expression,"
        f" expression.key == {key} && expression.operator == {quote('In')}"
        f" && size({VALUES}) > 0 && {condition})"
    )


_SAID = "variables.node_affinity_said"
_ALL = "variables.node_affinity_values"
_MALFORMED = f"{_ALL}[key].filter(value, !{_IS_VALUE})"
_SELECTED = "variables.node_selector[key]"
_IS_SELECTED = f"(key in variables.node_selector && !({_SELECTED} in {_ALL}[key]))"
_ELSEWHERE = _in_term("key", f"!expression.values.exists(value, value in {_ALL}[key])")
_IS_REQUIRED = (
    "(size(variables.terms) > 0"
    f" && variables.terms.all(term, {_ELSEWHERE}.exists(expression, true)))"
)


def _malformed_in_cel() -> str:
    found = _MALFORMED_VALUE.in_cel(key="key", value=shown_in_cel(f"{_MALFORMED}[0]"))
    return f"{_SAID}.filter(key, {_MALFORMED}.exists(value, true)).map(key, {found})"


def _contradicted_in_cel() -> str:
    first = f"[variables.terms[0]].map(term, {_ELSEWHERE}[0].values)[0]"
    own = (
        f'({_IS_SELECTED} ? "selector requires " + {shown_in_cel(_SELECTED)}'
        f' : "affinity requires " + {listed_in_cel(first, " or ")})'
    )
    values = listed_in_cel(f"{_ALL}[key]", " or ")
    found = _CONTRADICTED.in_cel(key="key", values=values, own=own)
    return f"{_SAID}.filter(key, {_IS_SELECTED} || {_IS_REQUIRED}).map(key, {found})"


def _has(key: str) -> str:
    return f"{label_of_pool(key)} in {_said(key)}"


def _offered(key: str, settings: Settings) -> str:
    return texts({pool.labels[key] for pool in settings.pools if key in pool.labels})


def _unmet_in_cel(key: str, pools: str, settings: Settings) -> str:
    """Return CEL for an annotation that none of the pools meets."""
    is_there = f"{pools}.exists(pool, {label_of_pool(key)} == label)"
    offered = f"{_offered(key, settings)}.filter(label, {is_there})"
    found = _IMPOSSIBLE_VALUES.filled(key=key).in_cel(
        values=listed_in_cel(_said(key), " or "),
        allowed=f'[{offered}].map(names, size(names) > 0 ? names.join(", ") : "none")[0]',
    )
    return f"(size({_said(key)}) == 0 || {pools}.exists(pool, {_has(key)}) ? [] : [{found}])"


def _variables(settings: Settings) -> Variables:
    variables: dict[str, str] = {}
    pools, unmet = "variables.offering", list[str]()
    for key in KEYS:
        variables |= _of_annotation(key, pools, settings)
        unmet.append(_unmet_in_cel(key, pools, settings))
        pools = _left(key)
    said = ", ".join(f"{quote(key)}: {_said(key)}" for key in KEYS)
    variables |= {
        _ALL: f"{{{said}}}",
        _SAID: f"{texts_in_order(KEYS)}.filter(key, size({_ALL}[key]) > 0)",
        _WRONG: f"{_malformed_in_cel()} + {_contradicted_in_cel()}",
        _IMPOSSIBLE: f"size({_WRONG}) > 0 ? [] : {' + '.join(unmet)}",
        _MISSING: f"size({_WRONG}) + size({_IMPOSSIBLE}) > 0 ? []"
        f" : {_requirements(dict.fromkeys(KEYS, 'true'))}",
    }
    return {name.removeprefix("variables."): each for name, each in variables.items()}


def _of_annotation(key: str, pools: str, settings: Settings) -> Variables:
    """Return what is said by an annotation, what of that is known, and which pools meet it."""
    annotated = f"{quote(key)} in {ANNOTATIONS}"
    values = f"object.metadata.annotations[{quote(key)}].split({quote(',')})"
    return {
        _said(key): f"{annotated} ? {values}.map(value, value.trim())"
        f".filter(value, value != {quote('')}) : []",
        _known(key): f"{_said(key)}.filter(value, value in {_offered(key, settings)}).distinct()",
        _left(key): f"{pools}.exists(pool, {_has(key)})"
        f" ? {pools}.filter(pool, {_has(key)}) : {pools}",
    }


def _requirements(conditions: dict[str, str]) -> str:
    return " + ".join(
        f"(size({_said(key)}) > 0 && !({quote(key)} in variables.node_selector) && {condition}"
        f" ? [{required(key, 'In', _known(key))}] : [])"
        for key, condition in conditions.items()
    )


def _refusals_in_cel(settings: Settings) -> str:
    return f"{_WRONG} + {_IMPOSSIBLE}" if settings.pools else ""


def _fixes_in_cel(settings: Settings) -> str:
    if not settings.pools:
        return ""
    narrower = {
        key: f"size({_in_term(quote(key), condition)}) == 0"
        for key in KEYS
        for condition in [f"expression.values.all(value, value in {_known(key)})"]
    }
    lacking = f"({STATES_SOMETHING} ? {_requirements(narrower)} : [])"
    return required_of_node(_MISSING, lacking)


RULE: Rule = Rule(
    RuleName.NODE_AFFINITY,
    summary="A pod runs only on nodes that have what its annotations name.",
    severity=Severity.FIX,
    evaluate=evaluate,
    in_cel=InCel(refusals=_refusals_in_cel, fixes=_fixes_in_cel, variables=_variables),
)
