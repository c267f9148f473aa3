"""Where a pod can run, for the rules in CEL: `policies.reach` has it in Python."""

from collections.abc import Callable, Iterable

from gpus.label_values import LIKE, NUMBERS
from gpus.platform_names import LABEL_PREFIX
from gpus.sharing import SharingKind
from policies.cel.amounts import amount
from policies.cel.gpus import amount_in, some_asked
from policies.cel.pod import (
    EXPRESSIONS,
    INIT_CONTAINERS,
    NODE_SELECTOR,
    NODE_TERMS,
    STATES_SOMETHING,
    TOLERATIONS,
    VALUES,
)
from policies.cel.text import lines, quote, texts, texts_in_order
from policies.cel.variables import Variables
from policies.node_terms import NEEDING_A_LABEL
from policies.reach import COUNTED, SHARED, bounded_others, most_of
from policies.settings import PoolSettings, Settings, offered_by
from policies.toleration import keeps_off


def reserved_gpus(resource: str) -> str:
    """Return CEL for how much of a GPU resource is reserved, as an integer."""
    return _reserved(lambda container: amount_in(container, resource), "0")


def _reserved(amount_of: Callable[[str], str], nothing: str) -> str:
    """Return CEL for the most that runs at once: all containers, or one that starts the pod."""
    running = f"(object.spec.containers + variables.sidecars).map(c, {amount_of('c')})"
    beside = (
        "variables.sidecars.filter(s, variables.init_names.indexOf(s.name)"
        f" < variables.init_names.indexOf(c.name)).map(s, {amount_of('s')})"
    )
    starting = (
        f'{INIT_CONTAINERS}.filter(c, c.?restartPolicy.orValue("") != "Always")'
        f".map(c, {amount_of('c')} + ([{nothing}] + {beside}).sum())"
    )
    return f"([([{nothing}] + {running}).sum()] + {starting}).max()"


_OURS = f"{LABEL_PREFIX}/"
_NUMBER = quote("^[0-9]{1,18}$")
CERTAIN = "variables.pool_labels"
"""By pool and key, the values of labels that its nodes have for good."""
PASSING = "variables.passing_labels"
"""The same of labels that they can lose."""
OFFERS = "resource in variables.per_node[pool]"
"""CEL for whether the nodes of a `pool` offer a `resource`."""


def meets(key: str, operator: str, values: str, table: str = CERTAIN) -> str:
    """Return CEL for whether nodes of a `pool` can meet a requirement, all of whose parts are CEL.

    Labels that the table has no values of may have any, but for those that certainly no pool has.
    """
    is_absent = f"({key}.startsWith({quote(_OURS)}) || {key} in variables.absent_labels)"
    unlisted = f"!({is_absent} && {operator} in {texts(NEEDING_A_LABEL)})"
    return (
        f"({key} in {table}[pool] ? {table}[pool][{key}].exists(label,"
        f" {_can_meet(operator, values)}) : {unlisted if table == CERTAIN else 'true'})"
    )


def _can_meet(operator: str, values: str) -> str:
    """Return CEL for whether a `label` meets a requirement: `policies.node_terms.can_meet`."""
    is_set, is_words = f"label != {quote('')}", f"label.contains({quote(' ')})"
    if operator == quote("In"):
        return f"{is_set} && ({is_words} ? {_is_one_of(values)} : label in {values})"
    return (
        f"!({is_set}) ? !({operator} in {texts(NEEDING_A_LABEL)})"
        f" : {operator} == {quote('In')} && {is_words} ? {_is_one_of(values)}"
        f" : {_meets(operator, values)}"
    )


def _meets(operator: str, values: str) -> str:
    return (
        f"({operator} == {quote('In')} ? label in {values}"
        f" : {operator} == {quote('NotIn')} ? !(label in {values})"
        f" : {operator} in {texts(['Gt', 'Lt'])} ? {_is_beyond(operator, values)}"
        f" : {operator} == {quote('Exists')})"
    )


_IS_NUMBERS = f"label.matches({quote(f'^{NUMBERS}$')})"
_ENDS = f"[label.split({quote(' to ')})]"


def _is_one_of(values: str) -> str:
    like = f"value.matches(label.substring({len(LIKE)}))"
    within = f"{_ENDS}.exists(ends, int(ends[0]) <= int(value) && int(value) <= int(ends[1]))"
    return (
        f"(label.startsWith({quote(LIKE)}) ? {values}.exists(value, {like})"
        f" : !{_IS_NUMBERS} || {values}.exists(value, value.matches({_NUMBER}) && {within}))"
    )


def _is_beyond(operator: str, values: str) -> str:
    above = f"{_ENDS}.exists(ends, int(ends[size(ends) - 1]) > int({values}[0]))"
    below = f"{_ENDS}.exists(ends, int(ends[0]) < int({values}[0]))"
    return (
        f"size({values}) == 1 && {values}[0].matches({_NUMBER}) && ({_IS_NUMBERS}"
        f" ? ({operator} == {quote('Gt')} ? {above} : {below}) : label.contains({quote(' ')}))"
    )


def meets_selected(table: str = CERTAIN) -> str:
    """Return CEL for whether nodes of a `pool` can have the label of a `key` that is selected."""
    return meets("key", quote("In"), "[variables.node_selector[key]]", table)


def meets_expression(table: str = CERTAIN) -> str:
    """Return CEL for whether nodes of a `pool` can meet an `expression` of a term."""
    return meets("expression.key", "expression.operator", VALUES, table)


MEETS_SELECTOR = f"variables.node_selector.all(key, {meets_selected()})"
"""CEL for whether the nodes of a `pool` can have the labels that the pod selects."""
_MEETS_A_TERM = (
    "(size(variables.stated_terms) == 0 || variables.agreeing_terms.exists(term,"
    f" {EXPRESSIONS}.all(expression, {meets_expression()})))"
)
_AGREES = _meets("expression.operator", VALUES)
_AGREEING = (
    f"{EXPRESSIONS}.all(expression, !(expression.key in variables.node_selector)"
    f" || [variables.node_selector[expression.key]].exists(label, {_AGREES}))"
    f" && {EXPRESSIONS}.all(one, one.operator != {quote('In')} || one.?values.orValue([])"
    f".exists(label, {EXPRESSIONS}.all(expression, expression.key != one.key || {_AGREES})))"
)
"""CEL for whether some node can have all labels of a `term`: `policies.node_terms.opposed`."""
AMOUNT = "variables.amounts[variables.wanted.indexOf(resource)]"
"""CEL for how much the pod asks for of a `resource` that it wants."""
_HOLDS = (
    f"{AMOUNT} <= variables.per_node[pool][resource]"
    f" && !(variables.sharing[pool][resource] in {texts(SHARED)} && resource in variables.several)"
)
_OF_POD: Variables = {
    "node_selector": NODE_SELECTOR,
    "stated_terms": NODE_TERMS,
    "terms": f"variables.stated_terms.filter(term, {STATES_SOMETHING})",
    "agreeing_terms": f"variables.terms.filter(term, {_AGREEING})",
    "selected": f"variables.pools.filter(pool, {MEETS_SELECTOR} && {_MEETS_A_TERM})",
    "wanted": "variables.gpu_names.filter(resource,"
    " variables.asked.exists(resources, resource in resources))",
    "unoffered": some_asked(f"!variables.pools.exists(pool, {OFFERS})"),
    "reached": "size(variables.wanted) == 0 || variables.unoffered ? []"
    f" : variables.selected.filter(pool, variables.wanted.all(resource, {OFFERS}))",
    "sidecars": f"{INIT_CONTAINERS}.filter(container,"
    ' container.?restartPolicy.orValue("") == "Always")',
    "init_names": f"{INIT_CONTAINERS}.map(container, container.name)",
    "amounts": f"variables.wanted.map(resource, {reserved_gpus('resource')})",
    "several": "variables.wanted.filter(resource, variables.gpu_containers.exists(container,"
    f" {amount_in('container', 'resource')} > 1))",
    "holding": f"variables.reached.filter(pool, variables.wanted.all(resource, {_HOLDS}))",
    "offering": "size(variables.reached) > 0 ? variables.reached : variables.pools",
}


def placement_variables(settings: Settings) -> Variables:
    """Return the variables, each after those that it reads; they read those of the pod.

    `pools`: the names of all, in order. `pool_labels`, `passing_labels`, `per_node`: by pool, the
    labels of its nodes, and how much of each resource one of them offers. `label_values`: by label,
    the values that it has on nodes of some pool, sorted. `pools_by_namespace`: those that pods of a
    namespace may use, where these are stated. `offered_here`: what those offer. `terms`: those
    required terms of the node affinity that some node can match; `agreeing_terms`: those of them
    that agree with the node selector, and with themselves. `selected`: the pools whose nodes the
    pod selects, whatever they offer. `wanted`: the GPU resources that it asks for. `reached`: the
    pools that it can run on. `amounts`: how much it asks for of each that is wanted. `several`:
    those of which one container asks for more than one. `holding`: the pools it can run on of which
    a node has enough. `requested`: how much it asks for of CPU, in thousandths, of memory and disk,
    and of other things whose number is known. `most`: by pool, what pods can have of these on a
    node. `lacking`: for each of `holding`, the places in these lists of what it has too little of.
    `offering`: those that it can run on, or all pools where there are none.
    """
    pools, others = settings.pools, bounded_others(settings.pools)
    requested = (f"({reserved('cpu')}) * 1000.0", *map(reserved, (*COUNTED[1:], *others)))
    return {
        "pools": texts_in_order([pool.name for pool in pools]),
        "pool_labels": by_pool(pools, lambda pool: dict(pool.certain_labels)),
        "passing_labels": by_pool(pools, lambda pool: dict(pool.passing_labels)),
        "absent_labels": texts(settings.absent_labels),
        "pools_by_namespace": lines(pools_by_namespace(settings)),
        "label_values": lines(_values_by_label(pools)),
        "per_node": by_pool(pools, lambda pool: {r.name: r.per_node for r in pool.resources}),
        "offered_here": f"{texts(offered_by(pools))}.filter(resource,"
        f" ({usable_in_cel('variables.pools')}).exists(pool, {OFFERS}))",
        "sharing": by_pool(pools, lambda pool: {r.name: r.sharing.value for r in pool.resources}),
        "pool_taints": by_pool(
            pools, lambda pool: [[t.key, t.value, t.effect] for t in pool.taints if keeps_off(t)]
        ),
        **_OF_POD,
        "most": by_pool(pools, lambda pool: [_most(pool, each) for each in (*COUNTED, *others)]),
        "requested": f"[{', '.join(requested)}]",
        "lacking": f"variables.holding.map(pool, {[*range(len(requested))]}"
        ".filter(at, variables.requested[at] > variables.most[pool][at]))",
    }


def label_of_pool(key: str) -> str:
    """Return CEL for a label of the platform on the nodes of a `pool`, which has one value."""
    return f"{CERTAIN}[pool][?{quote(key)}].orValue([{quote('')}])[0]"


def by_pool(pools: Iterable[PoolSettings], of: Callable[[PoolSettings], object]) -> str:
    return lines({pool.name: of(pool) for pool in pools})


def pools_by_namespace(settings: Settings) -> dict[str, list[str]]:
    return {
        name: list(each.pools)
        for name, each in settings.namespaces.items()
        if each.pools is not None
    }


def usable_in_cel(pools: str) -> str:
    """Return CEL for those of the pools that pods of the namespace may use."""
    granted = "variables.pools_by_namespace"
    is_granted = f"pool in {granted}[request.namespace]"
    return f"!(request.namespace in {granted}) ? {pools} : {pools}.filter(pool, {is_granted})"


def _values_by_label(pools: Iterable[PoolSettings]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for pool in pools:
        for key, values in (*pool.certain_labels.items(), *pool.passing_labels.items()):
            found.setdefault(key, set()).update(values)
    return {key: sorted(values - {""}) for key, values in found.items()}


_ANY_AMOUNT = 1e300
_ROUNDED = 0.5
"""More than what a double is off by, and less than what makes a difference."""


def _most(pool: PoolSettings, resource: str) -> float:
    most = most_of(pool, resource)
    return _ANY_AMOUNT if most is None else most + _ROUNDED


def most_per_node(pools: str, resource: str) -> str:
    """Return CEL for the allocations on the node that has most of a resource.

    What is shared counts only where no container asks for several shares, as none gets them.
    """
    shared = (
        f"{resource} in variables.several && variables.sharing[pool][{resource}] in {texts(SHARED)}"
    )
    return (
        f"([0] + {pools}.filter(pool, {resource} in variables.per_node[pool] && !({shared}))"
        f".map(pool, variables.per_node[pool][{resource}])).max()"
    )


def ways_of_sharing(resource: str) -> str:
    """Return CEL for the ways in which the pools that a pod can run on share a resource, sorted."""
    return (
        f"{texts(SharingKind)}.filter(way, variables.offering.exists(pool,"
        f' variables.sharing[pool][?{resource}].orValue("") == way))'
    )


def is_shared_by(ways: Iterable[SharingKind]) -> str:
    """Return CEL for whether the pools that a pod can run on share a resource in these ways alone.

    It is not true of a `resource` that none of them offers.
    """
    offered = "variables.offering.exists(pool, resource in variables.sharing[pool])"
    return f"{offered} && {ways_of_sharing('resource')}.all(way, way in {texts(ways)})"


def reserved(resource: str) -> str:
    """Return CEL for how much CPU or memory is reserved, as a double, with the pod's overhead."""
    of_containers = _reserved(
        lambda container: amount(_stated(f"{container}.?resources", resource, 'orValue("0")')),
        "0.0",
    )
    of_pod = _stated("object.spec.?resources", resource, 'orValue("")')
    overhead = amount(f'object.spec.?overhead[?"{resource}"].orValue("0")')
    return f'({of_pod} == "" ? {of_containers} : {amount(of_pod)}) + {overhead}'


def _stated(amounts: str, resource: str, absent: str) -> str:
    return f'{amounts}.?requests[?"{resource}"].or({amounts}.?limits[?"{resource}"]).{absent}'


def is_tolerated(taint: str) -> str:
    """Return CEL for whether some toleration of the pod tolerates a taint.

    The taint is `[key, value, effect]`.
    """
    return (
        f"{TOLERATIONS}.exists(toleration,"
        f' toleration.?key.orValue("") in ["", {taint}[0]]'
        f' && toleration.?effect.orValue("") in ["", {taint}[2]]'
        ' && (toleration.?operator.orValue("") == "Exists"'
        ' || (toleration.?operator.orValue("") in ["", "Equal"]'
        f' && toleration.?key.orValue("") == {taint}[0]'
        f' && toleration.?value.orValue("") == {taint}[1])))'
    )
