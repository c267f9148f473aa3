"""Node affinity that is too long to be held against every pool.

The API server knows no bound of it: a pod of a few megabytes can state tens of thousands of terms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.document import elements, members
from policies.finding import Finding, Severity
from policies.limits import MAX_NODE_SELECTOR_TERMS
from policies.rule_name import RuleName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from policies.document import Json
    from policies.pod import Pod

MAX_EXPRESSIONS = 64
"""Expressions of one term."""


def is_excessive(terms: Sequence[Json]) -> bool:
    """Whether these terms are too many, or one has too many expressions."""
    return bool(_excess(terms)) if terms else False


def excess_of(pod: Pod) -> Finding | None:
    """Return why no rule reads the node affinity of a pod; None where they do."""
    terms = pod.stated_node_terms
    excess = _excess(terms) if terms else ""
    if not excess:
        return None
    return Finding(
        RuleName.GRANTED_POOLS if pod.asks_for_gpu else RuleName.GPU_NODE_INTRUSION,
        Severity.REFUSE,
        path="/spec/affinity/nodeAffinity",
        culprit="the pod",
        message=f"The pod's required node affinity has {excess}.",
        remedy="Name several values in one expression of spec.affinity.nodeAffinity.",
    )


def _excess(terms: Sequence[Json]) -> str:
    if len(terms) > MAX_NODE_SELECTOR_TERMS:
        return f"{len(terms)} terms; allowed: {MAX_NODE_SELECTOR_TERMS}"
    for index, term in enumerate(terms):
        count = len(elements(members(term).get("matchExpressions")))
        if count > MAX_EXPRESSIONS:
            return f"{count} expressions in term {index}; allowed: {MAX_EXPRESSIONS}"
    return ""
