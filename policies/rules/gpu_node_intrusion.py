"""Pods without GPUs stay off nodes with GPUs, whose CPU and memory they would take up."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gpus.platform_names import LABEL_PREFIX
from gpus.taint import Taint
from policies.document import elements, members, text
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.toleration import keeps_off, untolerated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from policies.context import Context
    from policies.document import Json
    from policies.finding import Finding
    from policies.offer import Offer
    from policies.pod import Pod
    from policies.settings import PoolSettings


_GPU_NODE_LABELS = (f"{LABEL_PREFIX}/", "nvidia.com/")
"""Prefixes of labels that only nodes with GPUs carry."""


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
    if context.namespace is None and pod.owner_kind == "DaemonSet":
        return ()
    return _first_refusal(pod, context)


def _could_intrude(pod: Pod, offer: Offer) -> bool:
    for toleration in pod.tolerations:
        if type(toleration) is dict and toleration.get("key") in offer.tolerating_keys:
            return True
    return bool(pod.node_terms) or not pod.node_selector.keys().isdisjoint(offer.labels)


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
    field = path[1:].replace("/", ".")
    return RULE.finding(
        path=path,
        culprit="the pod",
        message=f"The pod {asked}, but {way} of pool {where}.",
        remedy=f"Ask for a GPU resource, or remove that from {field}.",
    )


class _WayIn(NamedTuple):
    """What lets a pod onto GPU nodes, read once: it can be long, and there are many pools."""

    selected: frozenset[str]
    """The names of the pools whose nodes it selects."""
    untolerated: frozenset[Taint]
    """The taints of those that keep it off."""
    labels: frozenset[tuple[str, str]]
    """The labels of GPU nodes that some term requires, each with a value."""
    present: frozenset[str]
    """The labels of GPU nodes that some term requires with any value."""


def _way_in(pod: Pod, context: Context) -> _WayIn:
    selected = context.reach(pod).selected
    taints = dict.fromkeys([taint for pool in selected for taint in pool.taints])
    labels, present = _required(pod.node_terms, context.offer.labels)
    return _WayIn(
        frozenset([pool.name for pool in selected]),
        frozenset(untolerated(taints, pod.tolerations)),
        frozenset(labels),
        frozenset(present),
    )


def _required(
    terms: Sequence[Json], labels: Mapping[str, set[str]]
) -> tuple[set[tuple[str, str]], set[str]]:
    found: set[tuple[str, str]] = set()
    present: set[str] = set()
    for term in terms:
        for raw in elements(members(term).get("matchExpressions")):
            expression = members(raw)
            key, operator = text(expression.get("key")), text(expression.get("operator"))
            if not is_of_gpu_nodes(key) or key not in labels:
                continue
            if operator == "Exists":
                present.add(key)
            elif operator == "In":
                named = map(text, elements(expression.get("values")))
                found.update([(key, value) for value in named if value in labels[key]])
    return found, present


def _reason(pod: Pod, pool: PoolSettings, way_in: _WayIn) -> tuple[str, str] | None:
    for key, value in pool.labels.items():
        if is_of_gpu_nodes(key) and pod.node_selector.get(key) == value:
            return "/spec/nodeSelector", "selects the nodes"
    for key, value in pool.labels.items():
        if key in way_in.present or (key, value) in way_in.labels:
            return "/spec/affinity/nodeAffinity", "selects the nodes"
    hard = [taint for taint in pool.taints if keeps_off(taint)]
    if hard and pool.name in way_in.selected and way_in.untolerated.isdisjoint(hard):
        return "/spec/tolerations", "tolerates the taints"
    return None


def is_of_gpu_nodes(label: str) -> bool:
    """Whether only nodes with GPUs carry the label, unlike that of their architecture."""
    return label.startswith(_GPU_NODE_LABELS)


RULE: Rule = Rule(
    RuleName.GPU_NODE_INTRUSION,
    summary="A pod that asks for no GPU neither tolerates nor selects its way onto GPU nodes.",
    severity=Severity.REFUSE,
    audience=Audience.ALL_PODS,
    evaluate=evaluate,
)
