"""Pods that are too large for the conditions to be read, in CEL.

What an expression may cost is bounded, and one that costs more is an error, by which the API server
skips a webhook that fails open. So what grows with the pod has a bound here, above which a pod is
shown whatever it holds: up to these bounds together, the conditions cost a fifth of what they may.
`PerCallLimit` and `RuntimeCELCostBudgetMatchConditions` in
https://github.com/kubernetes/kubernetes/blob/v1.37.1/staging/src/k8s.io/apiserver/pkg/apis/cel/config.go
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.in_cel.pod_fields import (
    CONTAINERS,
    ENVIRONMENT,
    EXPRESSIONS,
    LIMITS,
    NODE_SELECTOR,
    NODE_TERMS,
    REQUESTS,
    TOLERATIONS,
    VOLUMES,
)
from policies.limits import MAX_EXPRESSIONS, MAX_NODE_SELECTOR_TERMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_IN_POD: Mapping[str, int] = {
    CONTAINERS: 32,
    VOLUMES: 256,
    TOLERATIONS: 64,
    NODE_SELECTOR: 64,
    NODE_TERMS: MAX_NODE_SELECTOR_TERMS,
}
"""The longest list or map in a pod that is read."""
MAX_IN_CONTAINER: Mapping[str, int] = {LIMITS: 32, REQUESTS: 32, ENVIRONMENT: 256}
"""The longest in one of its containers."""
MAX_IN_TERM: Mapping[str, int] = {EXPRESSIONS: MAX_EXPRESSIONS}
"""The longest in one term of its node affinity."""


ASKING = frozenset({CONTAINERS, LIMITS, REQUESTS})
"""What shows whether a pod asks for GPUs."""


def is_large() -> Iterator[str]:
    """Yield what is true of a large pod; each can be afforded where none before it is true."""
    yield _any_above(MAX_IN_POD)
    yield f"{CONTAINERS}.exists(container, {_any_above(MAX_IN_CONTAINER)})"
    yield f"{NODE_TERMS}.exists(term, {_any_above(MAX_IN_TERM)})"


def is_large_to_ask() -> Iterator[str]:
    """Yield the same where no more is read than whether the pod asks for GPUs."""
    yield _any_above(_asking(MAX_IN_POD))
    yield f"{CONTAINERS}.exists(container, {_any_above(_asking(MAX_IN_CONTAINER))})"


def _asking(bounds: Mapping[str, int]) -> Mapping[str, int]:
    return {field: most for field, most in bounds.items() if field in ASKING}


def _any_above(bounds: Mapping[str, int]) -> str:
    return " || ".join(f"size({field}) > {most}" for field, most in bounds.items())
