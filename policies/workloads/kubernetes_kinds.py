"""The kinds of Kubernetes, and of OpenKruise, which extends them.

Sources: https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/;
https://github.com/openkruise/kruise, config/crd/bases.
"""

from policies.workloads.job_label import JOB
from policies.workloads.workload_kind import Author, Status, WorkloadKind

_TEMPLATE = ("/spec/template",)
_KRUISE = "apps.kruise.io"

KUBERNETES_KINDS = (
    WorkloadKind("", "Pod", ("",)),
    # Only node autoscalers read it, and reserve capacity for its pods.
    WorkloadKind("", "PodTemplate", ("/template",), author=Author.PLATFORM, status=Status.NONE),
    WorkloadKind("", "ReplicationController", _TEMPLATE, has_scale=True),
    WorkloadKind("apps", "DaemonSet", _TEMPLATE, author=Author.PLATFORM),
    WorkloadKind("apps", "Deployment", _TEMPLATE, has_scale=True),
    WorkloadKind("apps", "ReplicaSet", _TEMPLATE, author=Author.CONTROLLER, has_scale=True),
    WorkloadKind("apps", "StatefulSet", _TEMPLATE, has_scale=True),
    WorkloadKind("batch", "CronJob", ("/spec/jobTemplate/spec/template",), job_label=JOB),
    WorkloadKind("batch", "Job", _TEMPLATE, job_label=JOB),
    WorkloadKind(_KRUISE, "BroadcastJob", _TEMPLATE, author=Author.PLATFORM),
    WorkloadKind(_KRUISE, "CloneSet", _TEMPLATE, has_scale=True),
    WorkloadKind(_KRUISE, "DaemonSet", _TEMPLATE, author=Author.PLATFORM),
    WorkloadKind(_KRUISE, "StatefulSet", _TEMPLATE, has_scale=True),
)
