"""Policies keep teams from taking addresses, blocking drains, and holding GPUs for ever."""

from charts_py.components.admission_policy import Policy, requests, validation
from gpus.platform_names import LABEL_PREFIX
from policies.settings import Settings

EXTERNAL_ADDRESSES = Policy(
    name=f"external-addresses.{LABEL_PREFIX}",
    rule=requests("", "services"),
    validations=(
        validation(
            "object.spec.?externalIPs.orValue([]).all(address,"
            ' request.operation == "UPDATE"'
            " && address in oldObject.spec.?externalIPs.orValue([]))",
            "Services of this namespace have no spec.externalIPs, which take from everybody in the "
            "cluster what is sent to these addresses; use a Service of type LoadBalancer, which "
            "the quota counts.",
        ),
    ),
)
"""No Service of a team takes addresses outside of the cluster.

Who may create a Service can name any address in `externalIPs`, and nodes then send what pods and
others want of that address to the Service (CVE-2020-8554,
https://github.com/kubernetes/kubernetes/issues/97076). No quota counts it: its type is ClusterIP.
Addresses that a Service already has stay, as `DenyServiceExternalIPs` has it: who releases its
finalizers updates it. https://github.com/kubernetes/kubernetes
(plugin/pkg/admission/network/denyserviceexternalips at v1.37.1)
"""
_BOUNDS = ("maxUnavailable", "minAvailable")
_UNCHANGED = " && ".join(f"object.spec.?{bound} == oldObject.spec.?{bound}" for bound in _BOUNDS)
DISRUPTION_BUDGETS = Policy(
    name=f"disruption-budgets.{LABEL_PREFIX}",
    rule=requests("policy", "poddisruptionbudgets"),
    validations=(
        validation(
            f'(request.operation == "UPDATE" && {_UNCHANGED})'
            ' || !(string(object.spec.?maxUnavailable.orValue("")).matches("^0+%?$")'
            ' || string(object.spec.?minAvailable.orValue("")).matches("^0*100%$"))',
            "a PodDisruptionBudget that lets no pod go keeps its nodes from being drained for "
            "ever, broken GPUs included; let at least one replica go at a time (maxUnavailable: 1, "
            "or a percentage, which is rounded up), and have a job write checkpoints, without a "
            "budget.",
        ),
    ),
)
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


def grace_periods(settings: Settings) -> Policy:
    """Return the policy that bounds the grace period with which a team's pod is deleted.

    Whoever deletes a pod may name a period in which it keeps its GPUs. A later eviction names none,
    and shortens none (`BeforeDelete` in https://github.com/kubernetes/kubernetes,
    staging/src/k8s.io/apiserver/pkg/registry/rest/delete.go at v1.37.1).
    """
    most = settings.max_grace_period_seconds
    return Policy(
        name=f"grace-periods.{LABEL_PREFIX}",
        rule=requests("", "pods", operations=("DELETE",)),
        validations=(
            validation(
                f"request.?options.?gracePeriodSeconds.orValue(0) <= {most}",
                f"a pod that is deleted has at most {most} seconds to end (gracePeriodSeconds): "
                "until then it keeps its GPUs.",
            ),
        ),
    )
