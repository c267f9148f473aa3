"""Policies keep teams from taking addresses, blocking drains, and holding GPUs for ever."""

from charts_py.components.admission_policy import Policy, requests, validation
from charts_py.platform.platform import Platform
from charts_py.platform.queue_quota import most_allocations
from gpus.platform_names import LABEL_PREFIX
from policies.cel.text import quote
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
_FEWEST = 100
"""Pods of the smallest budget whose `minAvailable` says by itself that none of them goes: it may be
one of pods without GPUs."""


def disruption_budgets(platform: Platform) -> Policy:
    """Return the policy that no PodDisruptionBudget of a team lets none of its pods go.

    One that does refuses every eviction: a node with one of its pods is never drained, be it for a
    broken GPU or a new driver, until somebody deletes the budget or the pods
    (https://kubernetes.io/docs/tasks/run-application/configure-pdb/). Kubernetes rounds a
    percentage up in both fields, so that each `maxUnavailable` but 0 lets a pod go, and
    `minAvailable: 96%` keeps all of up to 24 pods (pkg/controller/disruption/disruption.go). A
    budget does not say how many pods it has. More with GPUs than the namespace may hold allocations
    it cannot have; where it keeps fewer than that, `GpuplaneDrainBlocked` finds those of which it
    lets none go.

    A budget that exists can still be changed elsewhere than in its bounds: releasing its finalizers
    updates it.
    """
    counts = {each.name: most_allocations(platform, each) for each in platform.namespaces}
    most = ", ".join(f"{quote(name)}: {count}" for name, count in counts.items() if count > _FEWEST)
    kept = f"{{{most}}}[?request.namespace].orValue({_FEWEST})"
    most_unavailable, least_available = (
        f'string(object.spec.?{bound}.orValue(""))' for bound in _BOUNDS
    )
    return Policy(
        name=f"disruption-budgets.{LABEL_PREFIX}",
        rule=requests("policy", "poddisruptionbudgets"),
        validations=(
            validation(
                f'(request.operation == "UPDATE" && {_UNCHANGED})'
                f' || !({most_unavailable}.matches("^0+%?$")'
                f' || {least_available}.matches("^0*(9[6-9]|100)%$")'
                f' || ({least_available}.matches("^[0-9]+$") && int({least_available}) >= {kept}))',
                "a PodDisruptionBudget that lets no pod go keeps its nodes from being drained for "
                "ever, broken GPUs included, as do maxUnavailable: 0, a minAvailable above 95%, and"
                f" one of {_FEWEST} pods or more where the namespace may hold fewer GPUs. Let at "
                "least one replica go at a time (maxUnavailable: 1, or a percentage, which is "
                "rounded up), and have a job write checkpoints, without a budget.",
            ),
        ),
    )


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
