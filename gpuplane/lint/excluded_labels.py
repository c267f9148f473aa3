"""Labels of which no node of a pool meets all that a pod requires, though it meets each alone.

Admission holds each requirement against all values that nodes of a pool can have: with two zones,
one that excludes the first and one that excludes the second pass.
"""

from collections.abc import Sequence

from policies.document import shown
from policies.node_terms import Expression, can_meet, expressions, states_something
from policies.pod import Pod
from policies.settings import PoolSettings


def excluded_labels(pod: Pod, pools: Sequence[PoolSettings]) -> list[str]:
    """Return a label for each pool, with its values there; none where a node of one is left."""
    terms = [expressions(term) for term in pod.node_terms if states_something(term)]
    found = [[_excluded(term, pool) for term in terms] for pool in pools]
    if not terms or not all(map(all, found)):
        return []
    return [*dict.fromkeys(labels[0] for labels in found)]


def _excluded(term: Sequence[Expression], pool: PoolSettings) -> str:
    for key, values in pool.certain_labels.items():
        stated = [(operator, given) for name, operator, given in term if name == key]
        if not any(all(can_meet(value, *one) for one in stated) for value in values):
            return f"{shown(key)} ({', '.join(filter(None, values))})"
    return ""
