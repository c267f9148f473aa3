"""Kinds of jobs, of one pod or of many.

Sources: the CRDs of JobSet 0.12, Kubeflow (training operator 1.9, MPI operator, Trainer 2.3, Katib
0.19), KEDA 2.20, Kueue 0.19, SageMaker HyperPod, the Spark operator 2.5, Volcano 1.15 and
AppWrapper v1beta2.
"""

from collections.abc import Iterator

from policies.document import Document, Json, elements, members, text
from policies.workloads.job_label import JOB, JOB_SET, KUBEFLOW, SPARK, VOLCANO
from policies.workloads.place import one, pod_part, pod_spec, template
from policies.workloads.workload_kind import Author, Read, Status, WorkloadKind


@one
def trainer(stated: Json) -> Document:
    """Return the pod of the nodes of a TrainJob."""
    fields = members(stated)
    container = {"name": "node", **fields, "resources": fields.get("resourcesPerNode")}
    return pod_part({}, container)


def spark_application(spec: Json) -> Iterator[tuple[str, Document]]:
    """Yield the pods of a Spark application's driver and executors."""
    return _spark_roles(spec, "driver", "executor")


def spark_connect(spec: Json) -> Iterator[tuple[str, Document]]:
    """Yield the pods of a Spark server and its executors."""
    return _spark_roles(spec, "server", "executor")


def _spark_roles(spec: Json, *roles: str) -> Iterator[tuple[str, Document]]:
    application = members(spec)
    for role in roles:
        own = members(application.get(role))
        gpu = members(own.get("gpu"))
        limits = {text(gpu.get("name")): gpu.get("quantity")} if gpu else {}
        container = {
            "name": role,
            "image": application.get("image"),
            **own,
            "resources": {"limits": limits},
        }
        template = members(members(own.get("template")).get("spec"))
        others = (*elements(own.get("sidecars")), *elements(template.get("containers")))
        volumes = [*elements(application.get("volumes")), *elements(template.get("volumes"))]
        yield f"/{role}", pod_part({**template, **own, "volumes": volumes}, container, *others)


_KUBEFLOW = "kubeflow.org"
_SPARK = "sparkoperator.k8s.io"
_TRAINER = "trainer.kubeflow.org"
_VOLCANO = "batch.volcano.sh"
_IN_JOB_SET = "/spec/replicatedJobs/*/template/spec/template"
_IN_RUNTIME = (f"/spec/template{_IN_JOB_SET}",)


def _kubeflow(kind: str, field: str, *, has_scale: bool) -> WorkloadKind:
    templates = (f"/spec/{field}ReplicaSpecs/*/template",)
    return WorkloadKind(_KUBEFLOW, kind, templates, job_label=KUBEFLOW, has_scale=has_scale)


JOB_KINDS = (
    # Only a JobFlow runs it, which the platform writes.
    WorkloadKind(
        "flow.volcano.sh",
        "JobTemplate",
        ("/spec/tasks/*/template",),
        job_label=VOLCANO,
        author=Author.PLATFORM,
    ),
    WorkloadKind("jobset.x-k8s.io", "JobSet", (_IN_JOB_SET,), job_label=JOB_SET),
    # KEDA's operator asks the triggers, with an identity of its own where they say so
    # (https://keda.sh/docs/2.20/concepts/authentication/).
    WorkloadKind(
        "keda.sh",
        "ScaledJob",
        ("/spec/jobTargetRef/template",),
        job_label=JOB,
        author=Author.PLATFORM,
    ),
    # Katib's controller creates what it wraps, with rights of its own
    # (https://www.kubeflow.org/docs/components/katib/user-guides/trial-template/).
    WorkloadKind(
        _KUBEFLOW,
        "Experiment",
        wrapped=("/spec/trialTemplate/trialSpec",),
        author=Author.PLATFORM,
        is_in_roles=False,
    ),
    WorkloadKind(
        _KUBEFLOW,
        "Trial",
        wrapped=("/spec/runSpec",),
        author=Author.CONTROLLER,
        is_in_roles=False,
    ),
    _kubeflow("JAXJob", "jax", has_scale=True),
    _kubeflow("MPIJob", "mpi", has_scale=False),
    _kubeflow("PaddleJob", "paddle", has_scale=True),
    _kubeflow("PyTorchJob", "pytorch", has_scale=True),
    _kubeflow("TFJob", "tf", has_scale=False),
    _kubeflow("XGBoostJob", "xgb", has_scale=False),
    # Kueue creates it for a job, and lets only administrators write it
    # (https://github.com/kubernetes-sigs/kueue, charts/kueue/templates/rbac).
    WorkloadKind(
        "kueue.x-k8s.io", "Workload", ("/spec/podSets/*/template",), author=Author.CONTROLLER
    ),
    WorkloadKind(
        "sagemaker.amazonaws.com", "HyperPodPyTorchJob", ("/spec/replicaSpecs/*/template",)
    ),
    WorkloadKind(
        _SPARK,
        "ScheduledSparkApplication",
        parts=(("/spec/template", spark_application),),
        job_label=SPARK,
    ),
    WorkloadKind(
        _SPARK, "SparkApplication", parts=(("/spec", spark_application),), job_label=SPARK
    ),
    WorkloadKind(_SPARK, "SparkConnect", parts=(("/spec", spark_connect),), is_in_roles=False),
    WorkloadKind(
        _TRAINER,
        "ClusterTrainingRuntime",
        _IN_RUNTIME,
        job_label=JOB_SET,
        author=Author.PLATFORM,
        is_namespaced=False,
        status=Status.NONE,
    ),
    # Kubeflow's role for users reads it (https://github.com/kubeflow/trainer,
    # manifests/overlays/kubeflow-platform/kubeflow-trainer-roles.yaml).
    WorkloadKind(
        _TRAINER,
        "TrainingRuntime",
        _IN_RUNTIME,
        job_label=JOB_SET,
        author=Author.PLATFORM,
        status=Status.NONE,
    ),
    WorkloadKind(
        _TRAINER,
        "TrainJob",
        parts=(
            ("/spec/trainer", trainer),
            ("/spec/podSpecOverrides/*", pod_spec),
            ("/spec/podTemplateOverrides/*", template),
            (f"/spec/runtimePatches/*/trainingRuntimeSpec/template{_IN_JOB_SET}", template),
        ),
        job_label=JOB_SET,
    ),
    WorkloadKind(
        _VOLCANO, "CronJob", ("/spec/jobTemplate/spec/tasks/*/template",), job_label=VOLCANO
    ),
    WorkloadKind(_VOLCANO, "Job", ("/spec/tasks/*/template",), job_label=VOLCANO),
    # Its controller creates what it wraps, and need not ask whether the author may
    # (https://github.com/project-codeflare/appwrapper, pkg/config: userRBACAdmissionCheck).
    WorkloadKind(
        "workload.codeflare.dev",
        "AppWrapper",
        wrapped=("/spec/components/*/template",),
        author=Author.PLATFORM,
    ),
)


def slurm_daemon(daemon: str) -> Read:
    """Make a reader of the pod of a Slurm daemon, which has the name of its container's field."""

    @one
    def read(spec: Json) -> Document:
        fields = members(spec)
        pod = members(members(fields.get("template")).get("spec"))
        container = {"name": daemon, **members(fields.get(daemon))}
        return pod_part(pod, container, *elements(pod.get("containers")))

    return read
