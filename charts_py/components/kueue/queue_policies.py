"""Policies keep a team from starting jobs past its queue of Kueue.

Who may do past Kueue what a team may not, RBAC decides, so that nobody lists them. Rights in all
namespaces are those of controllers and of the platform's own people. The members of a team and the
service accounts in its namespaces have none: their roles are bound to these.
https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-authorizer-library

These questions stand in each expression that asks them, and not as variables of a policy, by which
policies can end an API server before Kubernetes 1.36:
https://github.com/kubernetes/kubernetes/issues/135757
"""

from charts_py.components.admission_policy import (
    MutatingPolicy,
    Policy,
    json_patch,
    named,
    requests,
    validation,
    writes_of,
)
from charts_py.components.kueue.api import (
    ELASTIC_JOB,
    GROUP,
    MANAGED,
    PREBUILT_WORKLOAD,
    PRIORITY,
    SUSPENDING_PARENT,
)
from gpus.platform_names import LABEL_PREFIX
from policies.cel.pod import IS_CREATED
from policies.cel.text import quote, texts
from policies.settings import JobKind
from policies.workloads.pod_replacement import FIXED, JOB, REPLACES_EARLY

IS_CONTROLLER = (
    "authorizer.group(request.resource.group).resource(request.resource.resource)"
    f'.check({IS_CREATED} ? "create" : request.resource.group == "" ? "patch" : "update")'
    ".allowed()"
)
"""Whether who asks may write such objects in every namespace.

One question, since an expression has the budget for two. Controllers of Kubernetes that make pods
may patch them, and not all of them update them
(https://github.com/kubernetes/kubernetes, plugin/pkg/auth/authorizer/rbac/bootstrappolicy at
v1.37.1). Those that make jobs may update them, and that of MPIJobs may not patch them
(https://github.com/kubeflow/mpi-operator, manifests/base/cluster-role.yaml).
"""
MAY_ADMIT = (
    f'authorizer.group("{GROUP}").resource("workloads").subresource("status")'
    '.namespace(request.namespace).check("update").allowed()'
)
"""Whether who asks may let any job of the namespace start, as Kueue does."""
NO_PREBUILT_WORKLOAD = (
    f"{PREBUILT_WORKLOAD} takes a Workload from the job that it stands for; leave it out."
)
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
_POD, _REPLICA_SET = JobKind("", "Pod"), JobKind("apps", "ReplicaSet")
_LOOKED_THROUGH = (
    _REPLICA_SET,
    JobKind("sparkoperator.k8s.io", "SparkApplication"),
    JobKind("workload.codeflare.dev", "AppWrapper"),
)
# Of an object and all that controls it, Kueue counts the topmost that it knows, and lets the rest
# start with that: `FindAncestorJobManagedByKueue` in https://github.com/kubernetes-sigs/kueue,
# pkg/controller/jobframework/reconciler.go at v0.19.2. It looks through kinds that are switched
# off, and through ReplicaSets.
_COUNTED = (*(each.job_kind for each in MANAGED), *_LOOKED_THROUGH)
JOBS = tuple(kind for kind in _COUNTED if kind != _POD)
"""All but single pods."""
JOBS_AS_ONE = tuple(kind for kind in JOBS if kind not in (*PRIORITY.others, _REPLICA_SET))
"""Kinds that Kueue counts together with all their pods."""
KINDS = tuple(sorted(f"{kind.group or 'v1'}/{kind.kind}" for kind in _COUNTED))
"""Each kind as its API group, or the version of the core API, and its name."""
KIND = 'owner.apiVersion.split("/")[0] + "/" + owner.kind'
"""CEL for the kind of an `owner`, written as in `KINDS`."""
COUNTED = f"{KIND} in {texts(KINDS)}"
"""Whether Kueue knows an `owner`."""
_DELETED_PARENT = f"oldObject.spec.?template.?metadata.?annotations[?{quote(SUSPENDING_PARENT)}]"
_CLUSTERS = ("", "rayClusterSpec.?", "rayClusterConfig.?")
"""Where the spec of a RayCluster stands in that of a RayCluster, a RayJob and a RayService."""
_SUSPENSIONS = ("suspend", "runPolicy.?suspend", "rayClusterConfig.?suspend")
"""Where in its spec a job of some kind is suspended."""
_STARTED = " || ".join(
    f"oldObject.spec.?{field}.orValue(false) && !object.spec.?{field}.orValue(false)"
    for field in _SUSPENSIONS
)
_PREBUILT = quote(PREBUILT_WORKLOAD)
_ELASTIC = quote(ELASTIC_JOB)
_PARENT = (
    f"object.spec.?template.?metadata.?annotations[?{quote(SUSPENDING_PARENT)}]"
    '.orValue("statefulset")'
)
_TEMPLATES = ("template", *(f"{part}headGroupSpec.?template" for part in _CLUSTERS))
LISTS = tuple(f"{part}workerGroupSpecs" for part in _CLUSTERS)
"""Where the groups of workers stand in the spec of a RayCluster, a RayJob and a RayService."""


def refused_unless(holds: str, is_trusted: str, message: str) -> dict[str, str]:
    return validation(f"{holds} || {is_trusted}", message)


QUEUED_WORKLOADS = Policy(
    name=f"queued-workloads.{LABEL_PREFIX}",
    rule=requests(GROUP, "workloads", version="v1beta2", operations=("UPDATE",)),
    validations=(
        refused_unless(
            " && ".join(f"object.{each} == oldObject.{each}" for each in KEPT),
            MAY_ADMIT,
            "of a Workload, spec.active alone can be changed, which has Kueue try its job "
            "again; the rest follows from the job.",
        ),
    ),
)
"""A team changes only `active` of a Workload, which stands for a job in a queue of Kueue.

Kueue deactivates one whose pods were not ready too often; with `active: true` it is tried again.
All its other fields say what a job counts, in which queue, and before whom it starts. Kueue changes
that and, of a job from another cluster, the Kueue there: its priority, its size and its finalizer.
https://github.com/kubernetes-sigs/kueue (apis/kueue/v1beta2/workload_types.go and
pkg/controller/admissionchecks/multikueue/workload.go at v0.19.2)
"""


def _controllers(of: str) -> str:
    return (
        f"{of}.metadata.?ownerReferences.orValue([]).filter(owner,"
        " owner.?controller.orValue(false))"
    )


CONTROLLERS = _controllers("object")
"""The owners that control an object, of which there is one at most."""
CONTROLLERS_BEFORE = f'(request.operation == "CREATE" ? [] : {_controllers("oldObject")})'
"""The owners that controlled it before the request."""
KEPT_DEPENDENTS = Policy(
    name=f"queued-dependents.{LABEL_PREFIX}",
    rule=writes_of(JOBS_AS_ONE, operations=("DELETE",)),
    validations=(
        refused_unless(
            'request.resource.resource == "statefulsets"'
            f' && {_DELETED_PARENT}.orValue("statefulset") == "statefulset"'
            ' || !("orphan" in oldObject.metadata.?finalizers.orValue([]))'
            ' && request.?options.?propagationPolicy.orValue("") != "Orphan"'
            " && !request.?options.?orphanDependents.orValue(false)",
            MAY_ADMIT,
            "no queue would count the pods that are left; delete them with it (without"
            " `--cascade=orphan`).",
        ),
    ),
)
"""No job of a team is deleted without its pods.

What is left when a job goes alone, by `--cascade=orphan`, runs on: Kueue takes the job to have
ended, and its GPUs to be free. Of a LeaderWorkerSet it even starts pods that wait, and of those
that no StatefulSet controls. Pods of Deployments and StatefulSets it counts one by one.
https://github.com/kubernetes-sigs/kueue (pkg/workload, `FinalizeOrphanedWorkload`, and
pkg/controller/jobs/leaderworkerset/leaderworkerset_reconciler.go at v0.19.2)
"""


def _templates(of: str, groups: str) -> str:
    return f"{of}.spec.?{groups}.orValue([]).map(group, group.?template)"


_SAME_TEMPLATES = " && ".join(
    (
        *(f"object.spec.?{field} == oldObject.spec.?{field}" for field in _TEMPLATES),
        *(f"{_templates('object', each)} == {_templates('oldObject', each)}" for each in LISTS),
    )
)
LATE_REPLACEMENTS = MutatingPolicy(
    name=f"late-replacements.{LABEL_PREFIX}",
    rule=writes_of((JOB,)),
    conditions=named({"replaces-early": REPLACES_EARLY}),
    mutations=(json_patch(FIXED),),
)
"""Jobs of a team, whoever makes them for it, replace no pod that has not ended.

Before Kubernetes 1.36 the webhook does that.
"""
# Kueue counts the workers that Ray's autoscaler sets in the cluster of an elastic job
# (`UpdatePodSets` in pkg/controller/jobs/raycluster/common.go at v0.19.2).
_IS_AUTOSCALED = (
    "(oldObject.spec.?enableInTreeAutoscaling.orValue(false)"
    f" && oldObject.metadata.?annotations[?{_ELASTIC}].orValue({quote('')}) == {quote('true')}"
    f" && {_SAME_TEMPLATES})"
)
QUEUED_JOBS = Policy(
    name=f"queued-jobs.{LABEL_PREFIX}",
    rule=writes_of(JOBS),
    validations=(
        refused_unless(
            f"!{CONTROLLERS}.exists(owner, {COUNTED}) || {CONTROLLERS} == {CONTROLLERS_BEFORE}",
            f"{IS_CONTROLLER} || {MAY_ADMIT}",
            "what another job or pod controls waits in no queue, so that only controllers make"
            " such; leave `controller: true` out of its metadata.ownerReferences.",
        ),
        refused_unless(
            f"{IS_CREATED} || !{CONTROLLERS}.exists(owner, {COUNTED})"
            f" || object.spec == oldObject.spec || {_IS_AUTOSCALED}",
            f"{IS_CONTROLLER} || {MAY_ADMIT}",
            "Kueue counts what another job controls by the spec of that job, and not by its own;"
            " change that job, and leave this to its controller.",
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
            f"{IS_CREATED} || oldObject.metadata.?annotations[?{_ELASTIC}].orValue({quote('')})"
            f' != "true" || {_SAME_TEMPLATES}',
            MAY_ADMIT,
            f"Kueue counts an elastic job ({ELASTIC_JOB}) by the templates that it came with;"
            " make a new one.",
        ),
        refused_unless(
            f"!({REPLACES_EARLY}) || !{IS_CREATED} && object.spec.?podReplacementPolicy"
            " == oldObject.spec.?podReplacementPolicy",
            MAY_ADMIT,
            "a pod that is deleted holds its GPUs until it has ended, and Kueue counts none for the"
            " one that a Job makes in its place before; set spec.podReplacementPolicy: Failed.",
        ),
        refused_unless(
            f'request.resource.resource != "statefulsets" || {_PARENT} == "statefulset"',
            f"{IS_CONTROLLER} || {MAY_ADMIT}",
            f"in a StatefulSet's template, {SUSPENDING_PARENT} is of controllers that make"
            " StatefulSets; leave this annotation out.",
        ),
    ),
)
"""No job of a team starts past its queue.

Kueue suspends jobs, and trusts what stands on them, as on pods: what controls them, the Workload
that they name, and that nobody else ends their suspension.
https://github.com/kubernetes-sigs/kueue, pkg/controller/jobframework at v0.19.2
"""
