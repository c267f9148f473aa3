"""Of a Workload, which stands for a job in a queue of Kueue, a team changes `active` alone.

Kueue deactivates one whose pods were not ready too often; with `active: true` it is tried again.
All else of it says what a job counts, in which queue, and before whom it starts. Whoever may change
ClusterQueues, as Kueue itself, may change that, too.
https://github.com/kubernetes-sigs/kueue (apis/kueue/v1beta2/workload_types.go at v0.19.2)
"""

from charts_py.components.admission_policies.policy import Policy, named
from charts_py.components.kueue_queues.api import GROUP
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX

KEPT = (
    *(f"metadata.?{each}" for each in ("annotations", "finalizers", "labels", "ownerReferences")),
    "spec.podSets",
    *(
        f"spec.?{each}"
        for each in (
            "maximumExecutionTimeSeconds",
            "preemptionGates",
            "priority",
            "priorityClassRef",
            "queueName",
        )
    ),
)
"""What stays as it is."""

QUEUED_WORKLOADS = Policy(
    name=f"queued-workloads.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule={
        "apiGroups": [GROUP],
        "apiVersions": ["v1beta2"],
        "operations": ["UPDATE"],
        "resources": ["workloads"],
    },
    body={
        "matchConditions": named(
            {
                "administers-no-queues": f'!authorizer.group("{GROUP}")'
                '.resource("clusterqueues").check("update").allowed()'
            }
        ),
        "validations": [
            {
                "expression": " && ".join(f"object.{each} == oldObject.{each}" for each in KEPT),
                "message": "of a Workload, spec.active alone can be changed, which has Kueue try "
                "its job again; the rest follows from the job.",
                "reason": "Forbidden",
            }
        ],
    },
)
"""The policy, for the namespaces of teams."""
