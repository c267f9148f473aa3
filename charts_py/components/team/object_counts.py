"""How many objects a namespace may have, which fill the control plane whatever they request.

The API server takes objects of 1.5 MiB, and etcd is to store 8 GiB at most: 240 ConfigMaps of 1 MB
grow it by 277 MB within seconds. So the bounds count the worst case: all of a namespace together,
each object as large as it can be, take at most 7 GiB, and 15 MiB for each GPU. The cluster file can
state others.
https://etcd.io/docs/v3.6/dev-guide/limit/

Kinds that operators bring are left out. The API server refuses all new objects of a counted kind
whose number it does not know yet, as for minutes after its CustomResourceDefinition came (`status
unknown for quota` in https://github.com/kubernetes/kubernetes,
staging/src/k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go at v1.37.1).
"""

from charts_py.cluster_file.kubernetes_version import Feature, has
from charts_py.components.team.quota import resource_quota
from charts_py.objects.document import Document
from charts_py.platform.object_bounds import most_jobs, most_pods, most_written
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.queue_quota import most_allocations

_WRITTEN = (
    "configmaps",
    "cronjobs.batch",
    "deployments.apps",
    "horizontalpodautoscalers.autoscaling",
    "poddisruptionbudgets.policy",
    "replicationcontrollers",
    "secrets",
    "serviceaccounts",
    "statefulsets.apps",
)
_CLAIM_TEMPLATES = "resourceclaimtemplates.resource.k8s.io"
_MADE = 4
"""For each of what is written: controllers keep 10 revisions of a Deployment by default
(`revisionHistoryLimit`), and make a Service for each group of pods."""
_MADE_BY_CONTROLLERS = ("controllerrevisions.apps", "replicasets.apps", "services")


def object_counts(platform: Platform, namespace: TeamNamespace) -> Document:
    """Return the ResourceQuota of the numbers of objects.

    https://kubernetes.io/docs/concepts/policy/resource-quotas/#quota-on-object-count
    """
    quota, gpus = namespace.spec.quota, most_allocations(platform, namespace)
    each, jobs, pods = most_written(quota, gpus), most_jobs(quota, gpus), most_pods(quota, gpus)
    counts = {
        **dict.fromkeys(_WRITTEN, each),
        **dict.fromkeys(_MADE_BY_CONTROLLERS, each * _MADE),
        "jobs.batch": jobs,
        "persistentvolumeclaims": pods,
        "pods": jobs + pods,
    }
    if platform.cluster.training.trainer is not None:
        counts["configmaps"] = each * _MADE  # one holds the runtime of each TrainJob
    if has(platform.cluster.kubernetes, Feature.RESOURCE_CLAIMS):
        counts[_CLAIM_TEMPLATES] = each
    bounds = {f"count/{kind}": str(count) for kind, count in counts.items()}
    return resource_quota(namespace.name, {"pods": str(pods), **bounds}, name="objects")


def pod_quota(platform: Platform, namespace: TeamNamespace) -> int:
    """Return how many pods that have not ended a namespace may have."""
    return most_pods(namespace.spec.quota, most_allocations(platform, namespace))
