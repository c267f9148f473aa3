"""No PodDisruptionBudget of a team lets none of its pods go.

One whose `maxUnavailable` is 0, or whose `minAvailable` is 100 %, refuses every eviction: a node
with one of its pods is never drained, be it for a broken GPU or a new driver, until somebody
deletes the budget or the pods (https://kubernetes.io/docs/tasks/run-application/configure-pdb/).
A budget alone, without its pods, says no more: Kubernetes rounds a percentage up in both fields,
so that `minAvailable: 99%` keeps all of up to 99 pods, and a number may be as many as there are
(pkg/controller/disruption/disruption.go). `GpuplaneDrainBlocked` finds those.
A budget that exists can still be changed elsewhere than in its bounds: releasing its finalizers
updates it.
"""

from charts_py.components.admission_policies.policy import Policy
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX

_BOUNDS = ("maxUnavailable", "minAvailable")
_UNCHANGED = " && ".join(f"object.spec.?{bound} == oldObject.spec.?{bound}" for bound in _BOUNDS)

DISRUPTION_BUDGETS = Policy(
    name=f"disruption-budgets.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule={
        "apiGroups": ["policy"],
        "apiVersions": ["v1"],
        "operations": ["CREATE", "UPDATE"],
        "resources": ["poddisruptionbudgets"],
    },
    body={
        "validations": [
            {
                "expression": f'(request.operation == "UPDATE" && {_UNCHANGED})'
                ' || !(string(object.spec.?maxUnavailable.orValue("")).matches("^0+%?$")'
                ' || string(object.spec.?minAvailable.orValue("")).matches("^0*100%$"))',
                "message": "a PodDisruptionBudget that lets no pod go keeps its nodes from being "
                "drained for ever, broken GPUs included; let at least one replica go at a time "
                "(maxUnavailable: 1, or a percentage, which is rounded up), and have a job write "
                "checkpoints, without a budget.",
                "reason": "Forbidden",
            }
        ],
    },
)
"""The policy, for the namespaces of teams."""
