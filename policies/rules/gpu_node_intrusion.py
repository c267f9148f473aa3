"""Pods without GPUs stay off nodes with GPUs, whose CPU and memory they would take up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpus.platform_names import LABEL_PREFIX
from policies.document import elements, members, text
from policies.finding import Severity
from policies.rule import Audience, Rule
from policies.rule_name import RuleName
from policies.toleration import keeps_off, untolerated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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

    DaemonSets outside the teams' namespaces may: agents run on every node. A team could name any
    owner, so its own pods have no such exception.
    """
    if pod.asks_for_gpu or not _could_intrude(pod, context.offer):
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
    selected = context.reach(pod).selected
    for pool in context.offer.pools:
        reason = _reason(pod, pool, pool in selected)
        if reason is not None:
            path, way = reason
            yield RULE.finding(
                path=path,
                culprit="the pod",
                message=f"The pod asks for no GPU, but {way} of pool {pool.name}.",
                remedy=f"Ask for a GPU resource, or remove that from {path[1:].replace('/', '.')}.",
            )
            return


def _reason(pod: Pod, pool: PoolSettings, selected: bool) -> tuple[str, str] | None:
    if any(is_of_gpu_nodes(k) and pool.labels.get(k) == v for k, v in pod.node_selector.items()):
        return "/spec/nodeSelector", "selects the nodes"
    if any(_selects(term, pool) for term in pod.node_terms):
        return "/spec/affinity/nodeAffinity", "selects the nodes"
    hard = [taint for taint in pool.taints if keeps_off(taint)]
    if hard and selected and not untolerated(hard, pod.tolerations):
        return "/spec/tolerations", "tolerates the taints"
    return None


def _selects(term: Json, pool: PoolSettings) -> bool:
    for raw in elements(members(term).get("matchExpressions")):
        expression = members(raw)
        key, operator = text(expression.get("key")), text(expression.get("operator"))
        if is_of_gpu_nodes(key) and key in pool.labels:
            values = elements(expression.get("values"))
            if operator == "Exists" or (operator == "In" and pool.labels[key] in values):
                return True
    return False


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
