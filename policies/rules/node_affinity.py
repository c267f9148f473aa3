"""A pod's annotations say which GPUs it needs, and become node affinity for the scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.label_value import MAX_LABEL_VALUE, is_label_value
from gpus.nearest import nearest, nearest_hint
from gpus.platform_names import GPU_MODEL, INTERCONNECT, NVLINK
from policies.document import elements, listed, members, pointer, shown, text
from policies.finding import Severity
from policies.node_requirement import add_term, add_to_term
from policies.node_terms import states_something
from policies.rule import Audience, Rule
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from policies.context import Context
    from policies.document import Json
    from policies.finding import Finding
    from policies.operation import Operation
    from policies.pod import Pod
    from policies.settings import PoolSettings


KEYS = (GPU_MODEL, INTERCONNECT, NVLINK)
REMEDY_OF_VALUES = (
    f"Use at most {MAX_LABEL_VALUE} letters, digits and .-_ that begin and end with a letter or "
    "digit; separate several values by commas."
)
"""What to do where a value can be no label."""
_WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""As `trim` has it in CEL: the characters of Unicode's property White_Space
(https://www.unicode.org/Public/UCD/latest/ucd/PropList.txt)."""


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
        yield RULE.finding(
            path="/spec/affinity",
            culprit="the pod",
            message=f"The pod is annotated with {named}, but may run on any node.",
            remedy="Require the node label of the same name in spec.affinity.nodeAffinity.",
            fix=fix,
        )


def _malformed(wanted: Mapping[str, list[str]]) -> Iterator[Finding]:
    """Refuse what can be no label: as a term it would be refused in a field nobody wrote."""
    for key, values in wanted.items():
        for value in values:
            if not is_label_value(value):
                yield _refusal(
                    key,
                    f"The pod is annotated with {key} {shown(value)}, which no node label can be.",
                    REMEDY_OF_VALUES,
                )
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
        yield _refusal(
            key,
            f"The pod is annotated with {key} {listed(values, ' or ')}, but its node {own}.",
            "Keep one of them.",
        )


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
    found: list[list[str]] = []
    for raw in elements(members(term).get("matchExpressions")):
        expression = members(raw)
        if expression.get("key") == key and expression.get("operator") == "In":
            values = [text(value) for value in elements(expression.get("values"))]
            if values:
                found.append(values)
    return found


def _refusal(key: str, message: str, remedy: str) -> Finding:
    return RULE.finding(
        severity=Severity.REFUSE,
        path=f"/metadata/annotations{pointer(key)}",
        culprit="the pod",
        message=message,
        remedy=remedy,
    )


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
        yield _refusal(
            key,
            f"The pod is annotated with {key} {listed(values, ' or ')}, but no such pool offers "
            "what it asks for.",
            f"Allowed: {', '.join(offered) or 'none'}{hint}.",
        )


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


RULE: Rule = Rule(
    RuleName.NODE_AFFINITY,
    summary="A pod runs only on nodes that have what its annotations name.",
    severity=Severity.FIX,
    audience=Audience.GPU_PODS,
    evaluate=evaluate,
)
