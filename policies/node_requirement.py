"""The operations that require something of the node of a pod, in its node affinity."""

from collections.abc import Sequence

from policies.cel.patch import append_in_cel, object_literal, put_in_cel
from policies.cel.pod import REQUIRED
from policies.cel.text import quote
from policies.document import Document, pointer
from policies.fix import append
from policies.operation import Operation
from policies.pod import Pod

_PATH_OF_TERMS = ("spec", "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")
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


def required(key: str, operator: str, values: str) -> str:
    """Return a requirement of a label; its values are CEL."""
    return object_literal({"key": quote(key), "operator": quote(operator), "values": values})


def required_of_node(requirements: str, lacking: str) -> str:
    """Return CEL for the operations that require something of the node.

    `requirements` are those of a pod without any term, `lacking` those that a `term` lacks. Nothing
    that the pod says is written again: CEL makes no JSON of the objects that the API server has.
    """
    first = put_in_cel(_PATH_OF_TERMS, f"[{object_literal({'matchExpressions': requirements})}]")
    at = f'{quote(pointer(*_PATH_OF_TERMS))} + "/" + string(index) + "/matchExpressions"'
    appended = append_in_cel("has(term.matchExpressions)", at, "lacking")
    return (
        f"size({requirements}) == 0 ? []"
        f" : size(variables.stated_terms) == 0 ? [{first}]"
        " : lists.range(size(variables.stated_terms)).map(index,"
        f" [variables.stated_terms[index]].map(term, [{lacking}].map(lacking,"
        f" size(lacking) == 0 ? [] : {appended}).flatten()).flatten()).flatten()"
    )
