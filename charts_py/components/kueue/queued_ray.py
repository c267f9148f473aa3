"""No Ray cluster of a team has more workers than its queue counts.

Kueue counts `replicas` of each group of workers that the spec states, and KubeRay makes its own of
it. https://github.com/kubernetes-sigs/kueue (pkg/controller/jobs/raycluster, rayjob and rayservice
at v0.19.2), https://github.com/ray-project/kuberay (ray-operator/controllers/ray at v1.7.0)
"""

from charts_py.components.admission_policy import Policy, validation, writes_of
from charts_py.components.kueue.queue_policies import (
    IS_CONTROLLER,
    LISTS,
    MAY_ADMIT,
    refused_unless,
)
from gpus.platform_names import LABEL_PREFIX
from policies.cel.pod import IS_CREATED
from policies.settings import JobKind

_KINDS = tuple(
    JobKind("ray.io", kind) for kind in ("RayCluster", "RayCronJob", "RayJob", "RayService")
)
_IS_TRUSTED = f"{IS_CONTROLLER} || {MAY_ADMIT}"
_LISTS = (*LISTS, f"jobTemplate.?{LISTS[1]}")
_JOBS = ("", "jobTemplate.?")
"""Where the spec of a RayJob stands in that of a RayJob and a RayCronJob."""


def _groups(of: str) -> str:
    return f"({' + '.join(f'{of}.spec.?{each}.orValue([])' for each in _LISTS)})"


def _count(field: str, default: int) -> str:
    return f"group.?{field}.orValue({default})"


# Unset is 0 by the CustomResourceDefinition.
_BELOW = f"{_count('replicas', 0)} < {_count('minReplicas', 0)}"
# An evaluator may copy the list for each group that it adds, so that only the message makes one.
_UNCOUNTED = (
    f'{_groups("object")}.map(group, {_BELOW}, "The worker group "'
    ' + group.?groupName.orValue("without a name") + " has fewer replicas than minReplicas, of'
    ' which KubeRay makes at least " + string(group.minReplicas) + ", and Kueue counts replicas'
    ' alone. Set replicas to that number or more, or lower minReplicas.")[0]'
)
_DELETED = "scaleStrategy.?workersToDelete.orValue([])"
_REPLACED = (
    f"{_groups('object')}.all(group, {_groups('oldObject')}.all(old,"
    " old.?groupName != group.?groupName ||"
    f" group.?{_DELETED}.filter(name, !(name in old.?{_DELETED})).size() <="
    f" (old.?replicas.orValue(0) - {_count('replicas', 0)}) * {_count('numOfHosts', 1)}"
    f" || group.?{_DELETED} == old.?{_DELETED}))"
)
_OWN_PODS = '["cpu", "memory", "ephemeral-storage"]'


def _has_no_gpus(job: str) -> str:
    """Return whether a RayJob, below `spec`, brings no GPUs to a cluster which already exists."""
    submitter = f"object.spec.?{job}submitterPodTemplate.?spec"
    containers = f"({submitter}.?containers.orValue([]) + {submitter}.?initContainers.orValue([]))"
    asked = " && ".join(
        f"{containers}.all(each, each.?resources.?{kind}.orValue({{}}).all(name,"
        f" name in {_OWN_PODS}))"
        for kind in ("limits", "requests")
    )
    return (
        f"(object.spec.?{job}clusterSelector.orValue({{}}).size() == 0"
        f" || {asked} && {submitter}.?resourceClaims.orValue([]).size() == 0)"
    )


QUEUED_RAY = Policy(
    name=f"queued-ray.{LABEL_PREFIX}",
    rule=writes_of(_KINDS),
    validations=(
        # `GetWorkerGroupDesiredReplicas` in utils/util.go.
        validation(
            f"!{_groups('object')}.exists(group, {_BELOW}) || {_IS_TRUSTED}", computed=_UNCOUNTED
        ),
        # `reconcilePods` in raycluster_controller.go makes others in the same turn. Ray's
        # autoscaler names workers as it lowers the number.
        refused_unless(
            f"{IS_CREATED} || {_REPLACED}",
            _IS_TRUSTED,
            "KubeRay makes others in the place of the workers that scaleStrategy.workersToDelete"
            " names, before these have ended and given back their GPUs; name no more of them than"
            " replicas are taken away.",
        ),
        # `shouldPrepareNewCluster` and `shouldUpdateCluster` in rayservice_controller.go.
        refused_unless(
            f'{IS_CREATED} || request.resource.resource != "rayservices"'
            " || object.spec.?rayClusterConfig == oldObject.spec.?rayClusterConfig",
            _IS_TRUSTED,
            "of a RayService, Kueue counts rayClusterConfig as it stands, while KubeRay keeps the"
            " cluster that it has made of it before, or starts another one beside it. Make another"
            " RayService; serveConfigV2 can be changed.",
        ),
        # Kueue passes over such a RayJob, and takes its Job to be counted with it: `Skip` in
        # rayjob_controller.go, `FindAncestorJobManagedByKueue` in jobframework/reconciler.go.
        refused_unless(
            " && ".join(map(_has_no_gpus, _JOBS)),
            _IS_TRUSTED,
            "no queue counts the pod that submits a RayJob to a cluster which already exists"
            " (clusterSelector); leave GPUs and claims out of submitterPodTemplate.",
        ),
    ),
)
