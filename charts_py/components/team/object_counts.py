"""How many objects a namespace may have, which fill the control plane whatever they request.

A pod that requests no CPU is bounded by no amount, and 240 ConfigMaps of 1 MB grow the store of the
API server by 277 MB within seconds. Nobody at honest work meets these bounds; they follow from
what the namespace may have, and the cluster file can state others.

Kinds that operators bring are left out. The API server refuses all new objects of a counted kind
whose number it does not know yet, as for minutes after its CustomResourceDefinition came (`status
unknown for quota` in https://github.com/kubernetes/kubernetes,
staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go at v1.37.1).
"""

from charts_py.cluster_file.quantity import millicpu_of
from charts_py.components.team.quota import default_millicpu, resource_quota
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.queue_quota import borrowed_at_most, most_allocations

_SPARE_PODS = 100
_OBJECTS = 500
_OBJECTS_PER_GPU = 2
_KEPT_FOR_EACH = 10
"""Of each Deployment and StatefulSet as many revisions are kept by default
(`revisionHistoryLimit`). Of jobs and pods, those that have ended count here until somebody deletes
them, as the pods of a Job with thousands of completions do while it runs (`podObjectCountName` in
https://github.com/kubernetes/kubernetes, pkg/quota/v1/evaluator/core/pods.go at v1.37.1)."""
_WRITTEN = (
    "configmaps",
    "cronjobs.batch",
    "deployments.apps",
    "horizontalpodautoscalers.autoscaling",
    "poddisruptionbudgets.policy",
    "replicationcontrollers",
    "secrets",
    "serviceaccounts",
    "services",
    "statefulsets.apps",
)
_ENDING = ("jobs.batch", "persistentvolumeclaims", "pods")
"""What stays after it has ended, and waits in queues; and the claims of pods for themselves."""
_KEPT = ("controllerrevisions.apps", "replicasets.apps")
"""What controllers make at each change of an object."""


def object_counts(platform: Platform, namespace: TeamNamespace) -> Document:
    """Return the ResourceQuota of the numbers of objects.

    https://kubernetes.io/docs/concepts/policy/resource-quotas/#quota-on-object-count
    """
    pods, each = pod_quota(platform, namespace), _objects(platform, namespace)
    counts = {
        **dict.fromkeys(_WRITTEN, each),
        **dict.fromkeys(_ENDING, (each + pods) * _KEPT_FOR_EACH),
        **dict.fromkeys(_KEPT, each * _KEPT_FOR_EACH),
    }
    bounds = {f"count/{kind}": str(count) for kind, count in counts.items()}
    return resource_quota(namespace.name, {"pods": str(pods), **bounds}, name="objects")


def pod_quota(platform: Platform, namespace: TeamNamespace) -> int:
    """Return how many pods that have not ended a namespace may have."""
    quota = namespace.spec.quota
    if quota.pods is not None:
        return quota.pods
    millicpu = millicpu_of(quota.cpu) + borrowed_at_most(platform, namespace).millicpu
    request = default_millicpu(tuple(map(platform.pool, quota.gpus)))
    return _SPARE_PODS + most_allocations(platform, namespace) + millicpu // request


def _objects(platform: Platform, namespace: TeamNamespace) -> int:
    stated = namespace.spec.quota.objects
    if stated is not None:
        return stated
    return _OBJECTS + _OBJECTS_PER_GPU * most_allocations(platform, namespace)
