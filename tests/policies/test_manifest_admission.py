import copy
from typing import Any

import jsonpatch
import pytest
from msgspec.structs import replace

from policies.admission import Admission, Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.manifest_admission import ManifestAdmission, admit_manifest
from policies.refused_job import refused_jobs
from policies.settings import JobKind, QueuePriority, Settings
from tests.policies.conftest import GPU_TOLERATION, TODAY

GPU_SPEC: Document = {
    "containers": [
        {
            "name": "train",
            "image": "registry.example.com/train:1.4",
            "resources": {"limits": {"nvidia.com/gpu": 8, "memory": "64Gi"}},
            "volumeMounts": [{"name": "shm", "mountPath": "/dev/shm"}],  # noqa: S108
        }
    ]
}


def _deployment(name: str = "api", namespace: str = "plain", **spec: Any) -> Document:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"replicas": 2, "template": {"spec": GPU_SPEC | spec}},
    }


def _admit(
    settings: Settings, document: Document, namespace: str | None = None
) -> ManifestAdmission:
    review = Review("default", TODAY)
    return admit_manifest(Engine(settings), copy.deepcopy(document), review, namespace)


def test_a_template_without_metadata_is_fixed_in_its_place(settings: Settings) -> None:
    admission = _admit(settings, _deployment())
    fixed = {
        "spec": GPU_SPEC | {"tolerations": [GPU_TOLERATION]},
        "metadata": {"annotations": {"gpuplane.io/fixed": "tolerations"}},
    }
    assert admission.document == _deployment() | {"spec": {"replicas": 2, "template": fixed}}
    assert [operation.path for operation in admission.operations] == [
        "/spec/template/metadata",
        "/spec/template/spec/tolerations",
        "/spec/template/metadata/annotations",
    ]


def test_the_operations_make_the_document(settings: Settings) -> None:
    listed = {"apiVersion": "v1", "kind": "List", "items": [_deployment("a"), _deployment("b")]}
    admission = _admit(settings, listed)
    patch = [operation.to_json() for operation in admission.operations]
    assert jsonpatch.apply_patch(listed, patch) == admission.document
    assert [each.pod.pointer for each in admission.pods] == [
        "/items/0/spec/template",
        "/items/1/spec/template",
    ]


def test_what_needs_no_fix_stays_as_it_is(settings: Settings) -> None:
    right = _deployment(tolerations=[GPU_TOLERATION])
    admission = _admit(settings, right)
    assert (admission.document, admission.operations) == (right, ())


@pytest.mark.parametrize(
    ("namespace", "used"), [(None, "plain"), ("training", "training"), ("", "plain")]
)
def test_the_namespace_is_the_given_one_or_the_manifests(
    settings: Settings, namespace: str | None, used: str
) -> None:
    (admitted,) = _admit(settings, _deployment(), namespace).pods
    assert admitted.pod.namespace == used


def test_without_any_namespace_it_is_that_of_the_review(settings: Settings) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": GPU_SPEC}
    assert [each.pod.namespace for each in _admit(settings, pod).pods] == ["default"]


def test_a_finding_names_its_field_in_the_manifest_object_effect_and_rule(
    settings: Settings,
) -> None:
    document = _deployment(hostIPC=True, tolerations=[GPU_TOLERATION])
    admission = _admit(settings, document)
    (finding,) = admission.findings
    assert finding == (
        "/spec/template/spec/hostIPC",
        (
            "Deployment api: denied host-ipc: The pod sets spec.template.spec.hostIPC, which "
            "shares memory with the whole node. Remove it: /dev/shm is sized for the pod."
        ),
    )
    assert not admission.allowed


def test_the_templates_of_one_object_are_told_apart_by_their_place(settings: Settings) -> None:
    template = {"spec": GPU_SPEC}
    replicas = {"Master": {"template": template}, "Worker": {"template": copy.deepcopy(template)}}
    job = {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": "bert", "namespace": "plain"},
        "spec": {"pytorchReplicaSpecs": replicas},
    }
    assert [each.sentence.partition(": ")[0] for each in _admit(settings, job).findings] == [
        "PyTorchJob bert /spec/pytorchReplicaSpecs/Master/template",
        "PyTorchJob bert /spec/pytorchReplicaSpecs/Worker/template",
    ]


def test_the_pods_of_a_daemon_set_outside_of_the_teams_may_run_on_gpu_nodes(
    settings: Settings,
) -> None:
    spec = {"tolerations": [{"operator": "Exists"}], "containers": [{"name": "agent"}]}
    agent = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "agents"},
        "spec": {"template": {"spec": spec}},
    }
    assert _admit(settings, agent).allowed
    assert not _admit(settings, agent | {"kind": "Deployment"}).allowed


def test_a_partial_template_is_refused_for_what_it_has_and_not_for_what_it_lacks(
    settings: Settings,
) -> None:
    override = {"spec": GPU_SPEC | {"hostIPC": True}}
    job = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "bert", "namespace": "training"},
        "spec": {"podTemplateOverrides": [override, {"spec": {"nodeSelector": {"zone": "a"}}}]},
    }
    admission = _admit(settings, job)
    assert [each.sentence.split(": ")[1] for each in admission.findings] == ["denied host-ipc"]
    assert admission.operations == ()


def _asking(cpu: int, gpus: int) -> Document:
    return {"resources": {"limits": {"nvidia.com/gpu": gpus, "cpu": cpu}}}


def _part(group: str, kind: str, **spec: Any) -> Document:
    metadata = {"name": "part", "namespace": "granted"}
    return {"apiVersion": f"{group}/v1", "kind": kind, "metadata": metadata, "spec": spec}


TOO_MANY = (
    "denied gpus-per-node: The pod asks for 5 of nvidia.com/gpu, but the largest node of "
    "a100-spot, which it can run on, has 4. Ask for at most 4, and spread the work over several "
    "pods."
)
TOO_MUCH = (
    "denied node-resources: The pod asks for more cpu than a node of a100-spot has for pods, "
    "which is 192. Ask for at most 172, which leaves room for the daemons of the node."
)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (
            _part("serving.kserve.io", "InferenceService", predictor={"model": _asking(8, 5)}),
            TOO_MANY,
        ),
        (_part("apps.nvidia.com", "NIMService", **_asking(200, 4)), TOO_MUCH),
        (_part("argoproj.io", "Workflow", templates=[{"container": _asking(8, 5)}]), TOO_MANY),
        (
            _part(
                "sparkoperator.k8s.io",
                "SparkApplication",
                executor={"cores": 200, "gpu": {"name": "nvidia.com/gpu", "quantity": 4}},
            ),
            TOO_MUCH,
        ),
        (
            _part(
                "trainer.kubeflow.org",
                "TrainJob",
                trainer={"resourcesPerNode": {"limits": {"nvidia.com/gpu": 5}}},
            ),
            TOO_MANY,
        ),
        # What it lacks, such as consent to spot nodes, another part may have.
        (_part("apps.nvidia.com", "NIMService", **_asking(8, 4)), None),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_a_part_of_a_pod_is_held_against_the_pools_of_its_namespace(
    settings: Settings, document: Document, told: str | None
) -> None:
    outcomes = _admit(settings, document).outcomes
    assert [*map(str, outcomes)] == ([told] if told else [])


@pytest.mark.parametrize(
    "document",
    [
        {"apiVersion": "v1", "kind": "ConfigMap", "data": {}},
        {"apiVersion": "v1", "kind": "List", "items": [1, None, {"kind": "Pod"}]},
        {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": None}},
        {},
    ],
)
def test_what_makes_no_pods_is_admitted_as_it_is(settings: Settings, document: Document) -> None:
    assert _admit(settings, document) == ManifestAdmission(document, (), ())


@pytest.mark.parametrize("metadata", ["malformed", [], None, {"labels": 3, "annotations": []}])
def test_malformed_metadata_is_left_to_the_api_server(settings: Settings, metadata: Any) -> None:
    document = _deployment()
    document["spec"]["template"]["metadata"] = metadata
    assert isinstance(_admit(settings, document).pods[0].admission, Admission)


def _labelled(label: str, kind: str = "Deployment") -> Document:
    job = _deployment("api", "training") | {"kind": kind}
    return {**job, "metadata": {**job["metadata"], "labels": {"rank": label}}}


@pytest.mark.parametrize(
    ("document", "pointer", "refused"),
    [
        (_labelled("inference"), "", True),
        (_labelled("batch"), "", False),
        (_labelled("inference", "CronJob"), "", False),
        ({"kind": "List", "items": [_labelled("inference")]}, "/items/0", True),
    ],
)
def test_a_job_that_names_the_class_of_others_is_refused_with_its_place(
    settings: Settings, document: Document, pointer: str, refused: bool
) -> None:
    rank = QueuePriority(("metadata", "labels", "rank"), (JobKind("apps", "Deployment"),))
    admission = _admit(replace(settings, queue_priority=rank), document)
    denied = [
        (finding.path, finding.sentence)
        for finding, outcome in zip(admission.findings, admission.outcomes, strict=True)
        if outcome.effect is Effect.DENIED
    ]
    said = (
        "Deployment api: denied priority-class: The Deployment names priority class inference, "
        "which is not among those of team research. Use one of: training, batch."
    )
    assert denied == ([(f"{pointer}/metadata/labels/rank", said)] if refused else [])
    assert admission.allowed is not refused


@pytest.mark.parametrize("gpus", [0, 1])
def test_a_class_of_others_is_refused_once_where_a_job_names_it_for_its_pods(
    settings: Settings, gpus: int
) -> None:
    job = _deployment("api", "training")
    pod = job["spec"]["template"]["spec"]
    pod["priorityClassName"] = "inference"
    pod["containers"][0]["resources"] = {"limits": {"nvidia.com/gpu": gpus} if gpus else {}}
    rank = QueuePriority(("metadata", "labels", "rank"), (JobKind("apps", "Deployment"),))
    admission = _admit(replace(settings, queue_priority=rank), job)
    denied = [
        finding.path
        for finding, outcome in zip(admission.findings, admission.outcomes, strict=True)
        if outcome.effect is Effect.DENIED and "names priority class inference" in finding.sentence
    ]
    assert denied == ["/spec/template/spec/priorityClassName"]


def test_a_class_of_others_is_refused_in_the_scheduling_policy_of_a_job(settings: Settings) -> None:
    job = {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": "bert", "namespace": "training"},
        "spec": {"runPolicy": {"schedulingPolicy": {"priorityClass": "inference"}}},
    }
    kinds = (JobKind("kubeflow.org", "PyTorchJob"),)
    rank = QueuePriority(("metadata", "labels", "rank"), kinds)
    admission = _admit(replace(settings, queue_priority=rank), job)
    assert [finding.path for finding in admission.findings] == [
        "/spec/runPolicy/schedulingPolicy/priorityClass"
    ]


LABEL = "example.com/class"
RANKED = QueuePriority(
    ("metadata", "labels", LABEL), (JobKind("batch", "Job"),), (JobKind("", "Pod"),)
)
OF_LABEL = f"/metadata/labels/{LABEL.replace('/', '~1')}"
RESERVED = "The Job names priority class system-node-critical, which is reserved for the platform."
OF_PODS = "/spec/template/spec/priorityClassName"


@pytest.fixture(scope="module")
def ranking(settings: Settings) -> Settings:
    """Return the settings of a cluster with queues that rank by a label."""
    return replace(settings, queue_priority=RANKED)


def _job(label: str | None = None, of_pods: str | None = None, **metadata: Any) -> Document:
    pod = {} if of_pods is None else {"priorityClassName": of_pods}
    labels = {} if label is None else {"labels": {LABEL: label}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "pretrain", "namespace": "training", **labels, **metadata},
        "spec": {"template": {"spec": pod}},
    }


def _pod(label: str) -> Document:
    metadata = {"name": "pretrain", "namespace": "training", "labels": {LABEL: label}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {"priorityClassName": "inference"},
    }


def _list(*items: Document) -> Document:
    return {"apiVersion": "v1", "kind": "List", "items": list(items)}


def _found(settings: Settings, manifest: Document, *where: str) -> list[tuple[str, str, str, str]]:
    default, *namespace = where or ("plain",)
    return [
        (f"{job.kind} {job.name}", job.pointer, job.finding.path, job.finding.message)
        for job in refused_jobs(settings, manifest, default, *namespace)
    ]


def _foreign(kind: str, name: str = "inference") -> str:
    return f"The {kind} names priority class {name}, which is not among those of team research."


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (_job(), []),
        (_job("batch", "training"), []),
        (_job("inference"), [("Job pretrain", "", OF_LABEL, _foreign("Job"))]),
        (_job(of_pods="inference"), [("Job pretrain", "", OF_PODS, _foreign("Job"))]),
        (
            _job("inference", "other"),
            [
                ("Job pretrain", "", OF_LABEL, _foreign("Job")),
                ("Job pretrain", "", OF_PODS, _foreign("Job", "other")),
            ],
        ),
        (_job("system-node-critical"), [("Job pretrain", "", OF_LABEL, RESERVED)]),
        (
            _job("inference", name=None, generateName="sweep-"),
            [("Job sweep-", "", OF_LABEL, _foreign("Job"))],
        ),
        (
            _list(_job(), _list(_job("inference"))),
            [("Job pretrain", "/items/1/items/0", OF_LABEL, _foreign("Job"))],
        ),
        # The class that the pod itself names is judged by the rule on pods.
        (_pod("inference"), [("Pod pretrain", "", OF_LABEL, _foreign("Pod"))]),
        (_pod("batch"), []),
        # No queue ranks these.
        (_job("inference") | {"kind": "CronJob"}, []),
        (_job("inference") | {"apiVersion": "v1"}, []),
        (_job("inference") | {"apiVersion": None}, []),
        ({}, []),
    ],
)
def test_a_job_names_the_classes_of_its_team(
    ranking: Settings, manifest: Document, expected: list[tuple[str, str, str, str]]
) -> None:
    assert _found(ranking, manifest) == expected


def test_it_is_told_what_is_allowed(ranking: Settings) -> None:
    (refused,) = refused_jobs(ranking, _job("trainign"), "plain")
    assert refused.finding.remedy == "Use one of: training, batch; nearest: training."


@pytest.mark.parametrize(
    ("own", "where", "is_judged"),
    [
        ("training", ("plain",), True),
        (None, ("training",), True),
        ("plain", ("training", "training"), True),
        ("training", ("training", "plain"), False),
        # A team whose file names no classes may use all that are not reserved.
        ("plain", ("training",), False),
        ("of-nobody", ("training",), False),
    ],
)
def test_the_namespace_is_the_given_one_or_the_manifests_or_the_default(
    ranking: Settings, own: str | None, where: tuple[str, ...], is_judged: bool
) -> None:
    assert bool(_found(ranking, _job("inference", namespace=own), *where)) is is_judged


def test_without_queues_no_job_is_refused(settings: Settings) -> None:
    assert _found(settings, _job("inference", "inference")) == []


REQUESTING: Document = {
    "spec": {
        "containers": [
            {
                "name": "train",
                "image": "registry.example.com/train:1.4",
                "resources": {"requests": {"nvidia.com/gpu": 8}, "limits": {"memory": "64Gi"}},
            }
        ]
    }
}
REFUSED = (
    "denied container-resources: The container train requests 8 of nvidia.com/gpu without a limit, "
    "so the API server refuses the {}. Set {}.spec.containers[0].resources.limits to the same "
    "amount."
)
MENDED = (
    "fixed gpu-requests-equal-limits: The container train requests 8 of nvidia.com/gpu without a "
    "limit. Set {}spec.containers[0].resources.limits to the same amount."
)
JOB: Document = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": REQUESTING}}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (JOB, REFUSED.format("Job", "spec.template")),
        (
            {
                "apiVersion": "jobset.x-k8s.io/v1alpha2",
                "kind": "JobSet",
                "spec": {"replicatedJobs": [{"template": {"spec": {"template": REQUESTING}}}]},
            },
            REFUSED.format("Job", "spec.replicatedJobs[0].template.spec.template"),
        ),
        (
            {
                "apiVersion": "workload.codeflare.dev/v1beta2",
                "kind": "AppWrapper",
                "spec": {"components": [{"template": JOB}]},
            },
            REFUSED.format("Job", "spec.components[0].template.spec.template"),
        ),
        (
            {
                "apiVersion": "kubeflow.org/v1",
                "kind": "PyTorchJob",
                "spec": {"pytorchReplicaSpecs": {"Worker": {"template": REQUESTING}}},
            },
            MENDED.format("spec.pytorchReplicaSpecs.Worker.template."),
        ),
        ({"apiVersion": "v1", "kind": "Pod", **REQUESTING}, MENDED.format("")),
    ],
    ids=lambda value: value.get("kind", "") if isinstance(value, dict) else "",
)
def test_only_a_pod_is_mended_and_no_template_that_the_api_server_reads_itself(
    settings: Settings, document: Document, told: str
) -> None:
    first, *_ = _admit(settings, document).pods[0].outcomes
    assert str(first) == told


def test_a_patch_of_another_template_may_leave_limits_to_it(settings: Settings) -> None:
    patch = copy.deepcopy(JOB)
    del patch["spec"]["template"]["spec"]["containers"][0]["image"]
    assert _admit(settings, patch).pods[0].refused == ()
