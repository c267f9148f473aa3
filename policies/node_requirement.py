"""The operations that require something of the node of a pod, in its node affinity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from policies.fix import append

if TYPE_CHECKING:
    from collections.abc import Sequence

    from policies.document import Document
    from policies.operation import Operation
    from policies.pod import Pod

_TERMS = (
    "spec",
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
)
"""Where a pod states the terms of which its node must meet one."""
_TERMS_POINTER = f"/{'/'.join(_TERMS)}"


def add_term(pod: Pod, expressions: Sequence[Document]) -> tuple[Operation, ...]:
    """Return the operations that require these of the node of a pod without any term."""
    term: Document = {"matchExpressions": list(expressions)}
    return append(pod.document, "", _TERMS, [term])


def add_to_term(pod: Pod, index: int, expressions: Sequence[Document]) -> tuple[Operation, ...]:
    """Return the operations by which a term requires these, too."""
    term = pod.stated_node_terms[index]
    return append(term, f"{_TERMS_POINTER}/{index}", ("matchExpressions",), expressions)
