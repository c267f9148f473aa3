"""By what label jobs of Ray are ranked: by the one of all kinds, whose classes are judged.

KAI takes the label of KubeRay before it, and before the class of the pods. PodGroups have the
labels of what their pods belong to, and of an Argo Workflow that has made that.
"""

from charts_py.components.admission_policies.policy import Policy
from charts_py.components.kai_queues.api import GROUP, PRIORITY, RAY_PRIORITY
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX
from policies.job_priority import known

_RAY = "ray.io"
_NOW, _BEFORE = (
    f'{each}.metadata.?labels[?"{RAY_PRIORITY}"].orValue("")' for each in ("object", "oldObject")
)

RAY_PRIORITY_POLICY = Policy(
    name=f"ray-priority.kai.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule={
        "apiGroups": [_RAY, GROUP],
        "apiVersions": ["*"],
        "operations": ["CREATE", "UPDATE"],
        "resources": [
            known(each).resource for each in PRIORITY.others if each.group in (_RAY, GROUP)
        ],
    },
    body={
        "validations": [
            {
                # Who releases the finalizers of what was there before updates it.
                "expression": f'{_NOW} == "" || (oldObject != null && {_BEFORE} == {_NOW})',
                "message": f"KAI would rank the job by the label {RAY_PRIORITY}, whatever class its"
                f" team may use. Name the class in the label {PRIORITY.field[-1]} instead.",
                "reason": "Forbidden",
            }
        ]
    },
)
"""The policy, for the namespaces of teams."""
