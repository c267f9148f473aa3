"""No job of a team starts past its queue.

Kueue suspends jobs, and trusts what stands on them, as on pods: what controls them, the Workload
that they name, and that nobody else ends their suspension.
https://github.com/kubernetes-sigs/kueue, pkg/controller/jobframework at v0.19.2
"""

from __future__ import annotations

from charts_py.components.admission_policies.policy import Policy, writes_of
from charts_py.components.kueue_queues.api import ELASTIC_JOB, PREBUILT_WORKLOAD, SUSPENDING_PARENT
from charts_py.components.kueue_queues.ownership import (
    CONTROLLERS,
    CONTROLLERS_BEFORE,
    COUNTED,
    JOBS,
)
from charts_py.components.kueue_queues.trusted import IS_CONTROLLER, MAY_ADMIT
from charts_py.components.kueue_queues.validation import NO_PREBUILT_WORKLOAD, refused_unless
from charts_py.platform.judged_namespaces import TEAM_NAMESPACES
from gpus.platform_names import LABEL_PREFIX
from policies.in_cel.literal import text
from policies.in_cel.requests import IS_CREATED

_CLUSTERS = ("", "rayClusterSpec.?", "rayClusterConfig.?")
"""Where the spec of a RayCluster stands in that of a RayCluster, a RayJob and a RayService."""

_SUSPENSIONS = ("suspend", "runPolicy.?suspend", "rayClusterConfig.?suspend")
"""Where in its spec a job of some kind is suspended."""
_STARTED = " || ".join(
    f"oldObject.spec.?{field}.orValue(false) && !object.spec.?{field}.orValue(false)"
    for field in _SUSPENSIONS
)
_PREBUILT = text(PREBUILT_WORKLOAD)
_ELASTIC = text(ELASTIC_JOB)
_PARENT = (
    f"object.spec.?template.?metadata.?annotations[?{text(SUSPENDING_PARENT)}]"
    '.orValue("statefulset")'
)


def _templates(of: str, groups: str) -> str:
    return f"{of}.spec.?{groups}.orValue([]).map(group, group.?template)"


_TEMPLATES = ("template", *(f"{part}headGroupSpec.?template" for part in _CLUSTERS))
_LISTS = tuple(f"{part}workerGroupSpecs" for part in _CLUSTERS)
_SAME_TEMPLATES = " && ".join(
    (
        *(f"object.spec.?{field} == oldObject.spec.?{field}" for field in _TEMPLATES),
        *(f"{_templates('object', each)} == {_templates('oldObject', each)}" for each in _LISTS),
    )
)

QUEUED_JOBS = Policy(
    name=f"queued-jobs.{LABEL_PREFIX}",
    namespaces=TEAM_NAMESPACES,
    rule=writes_of(JOBS),
    body={
        "validations": [
            refused_unless(
                f"!{CONTROLLERS}.exists(owner, {COUNTED}) || {CONTROLLERS} == {CONTROLLERS_BEFORE}",
                f"{IS_CONTROLLER} || {MAY_ADMIT}",
                "what another job or pod controls waits in no queue, so that only controllers make"
                " such; leave `controller: true` out of its metadata.ownerReferences.",
            ),
            refused_unless(
                " && ".join(
                    f"(!object.metadata.?{field}[?{_PREBUILT}].hasValue() || !{IS_CREATED}"
                    f" && object.metadata.?{field}[?{_PREBUILT}]"
                    f" == oldObject.metadata.?{field}[?{_PREBUILT}])"
                    for field in ("labels", "annotations")
                ),
                MAY_ADMIT,
                NO_PREBUILT_WORKLOAD,
            ),
            refused_unless(
                f"{IS_CREATED} || !({_STARTED})",
                f"{IS_CONTROLLER} || {MAY_ADMIT}",
                "Kueue ends the suspension of a job once its queue has room for it; `kubectl"
                " describe workload` says what it waits for.",
            ),
            refused_unless(
                f"{IS_CREATED} || oldObject.metadata.?annotations[?{_ELASTIC}].orValue({text('')})"
                f' != "true" || {_SAME_TEMPLATES}',
                MAY_ADMIT,
                f"Kueue counts an elastic job ({ELASTIC_JOB}) by the templates that it came with;"
                " make a new one.",
            ),
            refused_unless(
                f'request.resource.resource != "statefulsets" || {_PARENT} == "statefulset"',
                f"{IS_CONTROLLER} || {MAY_ADMIT}",
                f"in a StatefulSet's template, {SUSPENDING_PARENT} is of controllers that make"
                " StatefulSets; leave this annotation out.",
            ),
        ],
    },
)
"""The policy, for the namespaces of teams."""
