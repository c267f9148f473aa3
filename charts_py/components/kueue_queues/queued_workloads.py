"""Of a Workload, which stands for a job in a queue of Kueue, a team changes `active` alone.

Kueue deactivates one whose pods were not ready too often; with `active: true` it is tried again.
All else of it says what a job counts, in which queue, and before whom it starts. Kueue changes
that and, of a job from another cluster, the Kueue there: its priority, its size and its finalizer.
https://github.com/kubernetes-sigs/kueue (apis/kueue/v1beta2/workload_types.go and
pkg/controller/admissionchecks/multikueue/workload.go at v0.19.2)
"""

from charts_py.components.admission_policies.policy import Policy
from charts_py.components.kueue_queues.api import GROUP
from charts_py.components.kueue_queues.trusted import MAY_ADMIT
from charts_py.components.kueue_queues.validation import refused_unless
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
        "validations": [
            refused_unless(
                " && ".join(f"object.{each} == oldObject.{each}" for each in KEPT),
                MAY_ADMIT,
                "of a Workload, spec.active alone can be changed, which has Kueue try its job "
                "again; the rest follows from the job.",
            )
        ],
    },
)
"""The policy, for the namespaces of teams."""
