"""Node affinity that is too long to be held against every pool.

The API server knows no bound of it: a pod of a few megabytes can state tens of thousands of terms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.finding import Finding, Severity
from policies.limits import excess
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from policies.pod import Pod


def excess_of(pod: Pod) -> Finding | None:
    """Return why no rule reads the node affinity of a pod; None where they do."""
    too_much = excess(pod.stated_node_terms)
    if not too_much:
        return None
    return Finding(
        RuleName.GRANTED_POOLS if pod.asks_for_gpu else RuleName.GPU_NODE_INTRUSION,
        Severity.REFUSE,
        path="/spec/affinity/nodeAffinity",
        culprit="the pod",
        message=f"The pod's required node affinity has {too_much}.",
        remedy="Name several values in one expression of spec.affinity.nodeAffinity.",
    )
