"""A pod's annotations say which GPUs it needs, and become node affinity for the scheduler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.nearest import nearest
from gpus.platform_names import GPU_MODEL, INTERCONNECT, NVLINK
from policies.document import elements, listed, members, pointer, text
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


_KEYS = (GPU_MODEL, INTERCONNECT, NVLINK)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Require the node labels that the pod's annotations name; refuse what no pool has."""
    return () if pod.annotations.keys().isdisjoint(_KEYS) else _unmet(pod, context)


def _unmet(pod: Pod, context: Context) -> Iterator[Finding]:
    annotations = pod.annotations
    said = {key: _values(annotations[key]) for key in _KEYS if key in annotations}
    wanted = {key: values for key, values in said.items() if values}
    if not wanted:
        return
    pools = context.reach(pod).pools or context.offer.pools
    impossible = list(_impossible(wanted, pools))
    yield from impossible
    missing = _missing(pod, wanted, context.offer.labels)
    fix = () if impossible or not missing else _fix(pod, missing)
    if fix:
        named = " and ".join([f"{key} {' or '.join(values)}" for key, values in missing.items()])
        yield RULE.finding(
            path="/spec/affinity",
            culprit="the pod",
            message=f"The pod is annotated with {named}, but may run on any node.",
            remedy="Require the node label of the same name in spec.affinity.nodeAffinity.",
            fix=fix,
        )


def _values(annotation: Json) -> list[str]:
    stripped = map(str.strip, text(annotation).split(","))
    return [value for value in dict.fromkeys(stripped) if value]


def _missing(
    pod: Pod, wanted: Mapping[str, list[str]], labels: Mapping[str, set[str]]
) -> dict[str, list[str]]:
    """Return what the node selector does not require yet, of the values that some pool has.

    Others would be repeated in each term, and an annotation can hold thousands of them.
    """
    return {
        key: [value for value in values if value in labels.get(key, ())]
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
        close = nearest(values[0], offered)
        yield RULE.finding(
            severity=Severity.REFUSE,
            path=f"/metadata/annotations{pointer(key)}",
            culprit="the pod",
            message=f"The pod is annotated with {key} {listed(values, ' or ')}, but no such "
            "pool offers what it asks for.",
            remedy=f"Use {close[0]}." if close else f"Allowed: {', '.join(offered) or 'none'}.",
        )


def _fix(pod: Pod, missing: Mapping[str, list[str]]) -> tuple[Operation, ...]:
    needed = [{"key": k, "operator": "In", "values": v} for k, v in missing.items()]
    if not pod.node_terms:
        return add_term(pod, needed)
    operations: list[Operation] = []
    for index, term in enumerate(pod.node_terms):
        if not states_something(term):
            continue  # it matches no node, which must stay so
        stated = [members(e).get("key") for e in elements(term.get("matchExpressions"))]
        lacking = [expression for expression in needed if expression["key"] not in stated]
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
