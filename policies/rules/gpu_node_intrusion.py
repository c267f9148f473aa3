"""Pods without GPUs stay off nodes with GPUs, whose CPU and memory they would take up."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gpus.catalog import load_vendors
from gpus.taint import Taint
from policies.cel.placement import is_tolerated
from policies.cel.pod import EXPRESSIONS, is_of_agent
from policies.cel.text import lines, texts
from policies.cel.variables import Variables
from policies.document import Json, field_path, text
from policies.finding import Finding
from policies.node_terms import expressions
from policies.pod import Pod
from policies.reach import Offer
from policies.rule import Audience, Context, InCel, Message, Rule, always
from policies.rule_name import RuleName
from policies.settings import PoolSettings, Settings, is_of_gpu_nodes
from policies.toleration import keeps_off, untolerated

_GPU_TAINTS = frozenset([vendor.taint_key for vendor in load_vendors().values()])


class _WayIn(NamedTuple):
    """What lets a pod onto GPU nodes, read once: it can be long, and there are many pools."""

    selected: frozenset[str]
    untolerated: frozenset[Taint]
    """The taints of those that keep it off."""
    labels: frozenset[tuple[str, str]]
    """The labels of GPU nodes that some term requires, each with a value."""
    present: frozenset[str]
    """The labels of GPU nodes that some term requires with any value."""


_INTRUDING = Message(
    "The pod {asked}, but {way} of pool {where}.",
    "Ask for a GPU resource, or remove that from {field}.",
)


def evaluate(pod: Pod, context: Context) -> Iterable[Finding]:
    """Refuse a pod without GPUs that tolerates or selects its way onto GPU nodes.

    A pod that holds claims and asks for no GPU resource may go where claims get GPUs, and nowhere
    else: a claim can be for nothing at all.

    DaemonSets outside the teams' namespaces may: agents run on every node. A team could name any
    owner, so its own pods have no such exception.
    """
    asks = pod.asks_for_gpu and not pod.claims_alone
    if asks or not _could_intrude(pod, context.offer):
        return ()
    if context.is_of_agent(pod):
        return ()
    return _first_refusal(pod, context)


def _could_intrude(pod: Pod, offer: Offer) -> bool:
    for toleration in pod.tolerations:
        if type(toleration) is dict and toleration.get("key") in offer.tolerating_keys:
            return True
    return bool(pod.node_terms) or not pod.node_selector.keys().isdisjoint(offer.gpu_node_labels)


def _first_refusal(pod: Pod, context: Context) -> Iterator[Finding]:
    way_in = _way_in(pod, context)
    for pool in context.offer.pools:
        if pod.claims_alone and (pool.gives_to_claims or pool.name not in way_in.selected):
            continue
        reason = _reason(pod, pool, way_in)
        if reason is not None:
            yield _refusal(pod, pool, *reason)
            return


def _refusal(pod: Pod, pool: PoolSettings, path: str, way: str) -> Finding:
    asked = "holds claims and asks for no GPU resource" if pod.claims_alone else "asks for no GPU"
    where = f"{pool.name}, where claims get no GPU" if pod.claims_alone else pool.name
    values = {"asked": asked, "way": way, "where": where, "field": field_path(path)}
    return RULE.finding(_INTRUDING, path=path, values=values)


def _way_in(pod: Pod, context: Context) -> _WayIn:
    selected = context.reach(pod).selected
    taints = dict.fromkeys([taint for pool in selected for taint in pool.taints])
    labels, present = _required(pod.node_terms, context.offer.gpu_node_labels)
    return _WayIn(
        frozenset([pool.name for pool in selected]),
        frozenset(untolerated(taints, pod.tolerations)),
        frozenset(labels),
        frozenset(present),
    )


def _required(
    terms: Sequence[Json], labels: frozenset[str]
) -> tuple[set[tuple[str, str]], set[str]]:
    found: set[tuple[str, str]] = set()
    present: set[str] = set()
    for term in terms:
        for key, operator, values in expressions(term):
            if key in labels and operator == "Exists" and is_of_gpu_nodes(key):
                present.add(key)
            elif key in labels and operator == "In":
                found.update([(key, text(value)) for value in values])
    return found, present


def _reason(pod: Pod, pool: PoolSettings, way_in: _WayIn) -> tuple[str, str] | None:
    for key, value in pool.gpu_node_labels:
        if pod.node_selector.get(key) == value:
            return "/spec/nodeSelector", "selects the nodes"
    for key, value in pool.gpu_node_labels:
        if key in way_in.present or (key, value) in way_in.labels:
            return "/spec/affinity/nodeAffinity", "selects the nodes"
    hard = [taint for taint in pool.taints if keeps_off(taint)]
    if is_guarded(pool) and pool.name in way_in.selected and way_in.untolerated.isdisjoint(hard):
        return "/spec/tolerations", "tolerates the taints"
    return None


def is_guarded(pool: PoolSettings) -> bool:
    """Whether the taint of its GPUs keeps other pods off; another may be of any node."""
    for taint in pool.taints:  # noqa: SIM110 # a generator costs as much as its work
        if taint.key in _GPU_TAINTS and keeps_off(taint):
            return True
    return False


_LABELS = "variables.gpu_node_intrusion_labels[pool]"
_SELECTS = (
    f"{_LABELS}.exists(key, key in variables.node_selector"
    f" && variables.node_selector[key] in {_LABELS}[key])"
)
_REQUIRES = (
    f"variables.stated_terms.exists(term, {EXPRESSIONS}.exists(one, one.key in {_LABELS}"
    ' && (one.operator == "Exists" ? one.key in variables.gpu_node_intrusion_alone'
    ' : one.operator == "In"'
    f" && {_LABELS}[one.key].exists(value, value in one.?values.orValue([])))))"
)
_WAY = (
    f'{_SELECTS} ? ["selects the nodes", "spec.nodeSelector"]'
    f' : {_REQUIRES} ? ["selects the nodes", "spec.affinity.nodeAffinity"]'
    ' : ["tolerates the taints", "spec.tolerations"]'
)
_ASKED = (
    'variables.asks_for_gpu ? ["holds claims and asks for no GPU resource",'
    ' ", where claims get no GPU"] : ["asks for no GPU", ""]'
)


def _tolerates(settings: Settings) -> str:
    tainted = [pool.name for pool in settings.pools if pool.taints]
    guarded = [pool.name for pool in settings.pools if is_guarded(pool)]
    all_are = "size(variables.pool_taints[pool]) > 0"
    is_kept = all_are if guarded == tainted else f"pool in {texts(guarded)}"
    return (
        f"({is_kept} && pool in variables.selected"
        f" && variables.pool_taints[pool].all(taint, {is_tolerated('taint')}))"
    )


def _variables(settings: Settings) -> Variables:
    labels = {pool.name: _values_by_label(pool) for pool in settings.pools}
    alone = {key for each in labels.values() for key in each if is_of_gpu_nodes(key)}
    giving = texts(pool.name for pool in settings.pools if pool.gives_to_claims)
    for_claims = f"(pool in {giving} || !(pool in variables.selected))"
    return {
        "gpu_node_intrusion_labels": lines(labels),
        "gpu_node_intrusion_alone": texts(alone),
        "gpu_node_intrusion_found": "variables.asks_for_resource"
        f" || {is_of_agent(settings)} ? []"
        f" : variables.pools.filter(pool, !(variables.asks_for_gpu && {for_claims})"
        f" && ({_SELECTS} || {_REQUIRES} || {_tolerates(settings)}))",
    }


def _values_by_label(pool: PoolSettings) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in pool.gpu_node_labels:
        found.setdefault(key, []).append(value)
    return found


_FOUND = "variables.gpu_node_intrusion_found"
_SAID = _INTRUDING.in_cel(asked="asked[0]", way="way[0]", where="pool + asked[1]", field="way[1]")
_REFUSED = (
    f"size({_FOUND}) == 0 ? [] : [{_FOUND}[0]].map(pool, [{_WAY}].map(way, [{_ASKED}].map(asked,"
    f" {_SAID})[0])[0])"
)

RULE: Rule = Rule(
    RuleName.GPU_NODE_INTRUSION,
    summary="A pod that asks for no GPU neither tolerates nor selects its way onto GPU nodes.",
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
    applies=lambda settings: bool(settings.pools),
    in_cel=InCel(refusals=always(_REFUSED), variables=_variables),
)
