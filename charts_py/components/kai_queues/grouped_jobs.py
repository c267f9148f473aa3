"""What pods belong to keeps its owners, with which their group is gone, and stays grouped.

KAI makes the PodGroup of a pod for the topmost of its owners, and another one when the pod has
changed, unless one of them is annotated. https://github.com/kai-scheduler/KAI-Scheduler,
pkg/podgrouper/pod_controller.go at v0.17.0
"""

from charts_py.components.admission_policies.policy import Policy
from charts_py.components.kai_queues.api import GROUP, PRIORITY, SKIP_POD_GROUPER
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.literal import text
from policies.in_cel.requests import IS_CREATED

_OWNERS = [each for each in PRIORITY.others if each.group not in ("", GROUP)]
_NOW, _BEFORE = (
    f'{each}.metadata.?annotations[?{text(SKIP_POD_GROUPER)}].orValue("")'
    for each in ("object", "oldObject")
)
MAY_PATCH = (
    "authorizer.group(request.resource.group).resource(request.resource.resource)"
    '.check("patch").allowed()'
)
"""Whether who asks may change such objects in every namespace, as controllers and the garbage
collector may."""

GROUPED_JOBS = Policy(
    name=f"grouped-jobs.kai.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule={
        "apiGroups": sorted({each.group for each in _OWNERS}),
        "apiVersions": ["*"],
        "operations": ["CREATE", "UPDATE"],
        "resources": sorted(f"{each.kind.lower()}s" for each in _OWNERS),
    },
    body={
        "validations": [
            {
                "expression": f'{_NOW} != "true" || !{IS_CREATED} && {_BEFORE} == {_NOW}',
                "message": f"KAI would count the pods in no group; leave {SKIP_POD_GROUPER} out.",
                "reason": "Forbidden",
            },
            {
                "expression": f"{IS_CREATED} || object.metadata.?ownerReferences"
                f" == oldObject.metadata.?ownerReferences || {MAY_PATCH}",
                "message": "KAI counts pods in a group that is gone with the topmost of their "
                "owners; leave metadata.ownerReferences.",
                "reason": "Forbidden",
            },
        ]
    },
)
"""The policy, for the namespaces of teams."""
