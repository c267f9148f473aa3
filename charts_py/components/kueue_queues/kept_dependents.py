"""No job of a team is deleted without its pods.

What is left when a job goes alone, by `--cascade=orphan`, runs on: Kueue takes the job to have
ended, and its GPUs to be free. Of a LeaderWorkerSet it even starts pods that wait, and of those
that no StatefulSet controls. Pods of Deployments and StatefulSets it counts one by one.
https://github.com/kubernetes-sigs/kueue (pkg/workload, `FinalizeOrphanedWorkload`, and
pkg/controller/jobs/leaderworkerset/leaderworkerset_reconciler.go at v0.19.2)
"""

from charts_py.components.admission_policies.policy import Policy, deletions_of
from charts_py.components.kueue_queues.api import SUSPENDING_PARENT
from charts_py.components.kueue_queues.ownership import JOBS_AS_ONE
from charts_py.components.kueue_queues.trusted import MAY_ADMIT
from charts_py.components.kueue_queues.validation import refused_unless
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.literal import text

_PARENT = f"oldObject.spec.?template.?metadata.?annotations[?{text(SUSPENDING_PARENT)}]"

KEPT_DEPENDENTS = Policy(
    name=f"queued-dependents.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule=deletions_of(JOBS_AS_ONE),
    body={
        "validations": [
            refused_unless(
                'request.resource.resource == "statefulsets"'
                f' && {_PARENT}.orValue("statefulset") == "statefulset"'
                ' || !("orphan" in oldObject.metadata.?finalizers.orValue([]))'
                ' && request.?options.?propagationPolicy.orValue("") != "Orphan"'
                " && !request.?options.?orphanDependents.orValue(false)",
                MAY_ADMIT,
                "no queue would count the pods that are left; delete them with it (without"
                " `--cascade=orphan`).",
            )
        ],
    },
)
"""The policy, for the namespaces of teams."""
