"""Who judges pods from now on: the webhook, the API server by policies of its own, or both."""

from collections.abc import Iterator

from charts_py.cluster_file.policies import Admission
from charts_py.platform.platform import Platform
from gpuplane.plan.rule_clause import RuleClause

_JUDGES = {
    Admission.BACKSTOP: (
        "the API server judges pods on {cluster} by policies of its own where the webhook does not "
        "answer"
    ),
    Admission.WEBHOOK_ONLY: (
        "only the webhook judges pods on {cluster}, and they pass where it does not answer"
    ),
    Admission.IN_TREE_ONLY: (
        "the API server fixes and judges pods on {cluster} by policies of its own, and no webhook "
        "does"
    ),
}


def admission_clauses(before: Platform, after: Platform) -> Iterator[RuleClause]:
    """Yield a clause where others judge pods, be it asked for or by default of the version."""
    new = after.cluster.admission
    if new is not before.cluster.admission:
        text = _JUDGES[new].format(cluster=after.name)
        is_stated = after.cluster.policies.admission is not None
        yield RuleClause(text, ("policies", "admission") if is_stated else ("kubernetes",))
