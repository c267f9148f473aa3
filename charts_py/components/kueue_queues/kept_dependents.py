"""No LeaderWorkerSet of a team is deleted without its pods.

Kueue takes its gates off the pods of one that is gone, so that they can end, and off those that no
StatefulSet controls. https://github.com/kubernetes-sigs/kueue,
pkg/controller/jobs/leaderworkerset/leaderworkerset_reconciler.go at v0.19.2
"""

from charts_py.components.admission_policies.policy import Policy
from charts_py.components.kueue_queues.api import SUSPENDING_PARENT
from charts_py.components.kueue_queues.trusted import MAY_ADMIT
from charts_py.components.kueue_queues.validation import refused_unless
from gpus.platform_names import LABEL_PREFIX, TEAM
from policies.in_cel.literal import text

_PARENT = f"oldObject.spec.?template.?metadata.?annotations[?{text(SUSPENDING_PARENT)}]"

KEPT_DEPENDENTS = Policy(
    name=f"queued-dependents.{LABEL_PREFIX}",
    namespaces={"matchExpressions": [{"key": TEAM, "operator": "Exists"}]},
    rule={
        "apiGroups": ["apps", "leaderworkerset.x-k8s.io"],
        "apiVersions": ["*"],
        "operations": ["DELETE"],
        "resources": ["leaderworkersets", "statefulsets"],
    },
    body={
        "validations": [
            refused_unless(
                'request.resource.resource == "statefulsets"'
                f' && {_PARENT}.orValue("statefulset") == "statefulset"'
                ' || !("orphan" in oldObject.metadata.?finalizers.orValue([]))'
                ' && request.?options.?propagationPolicy.orValue("") != "Orphan"'
                " && !request.?options.?orphanDependents.orValue(false)",
                MAY_ADMIT,
                "Kueue would start the pods that are left; delete them with it (without"
                " `--cascade=orphan`).",
            )
        ],
    },
)
"""The policy, for the namespaces of teams."""
