"""What requires something of the node of a pod: `policies.node_requirement` in CEL."""

from __future__ import annotations

from policies.document import pointer
from policies.in_cel.literal import text
from policies.in_cel.patch import append, members, put
from policies.in_cel.pod_fields import REQUIRED

_TERMS = ("spec", "affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms")


def required(key: str, operator: str, values: str) -> str:
    """Return a requirement of a label; its values are CEL."""
    return members({"key": text(key), "operator": text(operator), "values": values})


def required_of_node(requirements: str, lacking: str) -> str:
    """Return CEL for the operations that require something of the node.

    `requirements` are those of a pod without any term, `lacking` those that a `term` lacks. Nothing
    that the pod says is written again: CEL makes no JSON of the objects that the API server has.
    """
    first = put(_TERMS, f"[{members({'matchExpressions': requirements})}]")
    at = f'{text(pointer(*_TERMS))} + "/" + string(index) + "/matchExpressions"'
    appended = append("has(term.matchExpressions)", at, "lacking")
    return (
        f"size({requirements}) == 0 ? []"
        f" : size(variables.stated_terms) == 0 ? [{first}]"
        " : lists.range(size(variables.stated_terms)).map(index,"
        f" [variables.stated_terms[index]].map(term, [{lacking}].map(lacking,"
        f" size(lacking) == 0 ? [] : {appended}).flatten()).flatten()).flatten()"
    )
