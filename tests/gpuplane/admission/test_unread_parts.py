from typing import Any

import pytest

from gpuplane.admission.manifest_file import read_manifest_file
from gpuplane.admission.unread_parts import MisspelledField, misspelled_fields, unread_parts

CONTAINERS = "[{name: train, resources: {limits: {nvidia.com/gpu: 1}}}]"
POD = "apiVersion: v1\nkind: Pod\n"
JOB = "apiVersion: batch/v1\nkind: Job\n"
JOB_SET = "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\n"
PYTORCH_JOB = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\n"
RAY_CLUSTER = "apiVersion: ray.io/v1\nkind: RayCluster\n"
TRAIN_JOB = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\n"
APP_WRAPPER = "apiVersion: workload.codeflare.dev/v1beta2\nkind: AppWrapper\n"
LIST = "apiVersion: v1\nkind: List\n"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def _faults(text: str) -> list[str]:
    (one,) = read_manifest_file(text.encode(), "pod.yaml")
    return [str(fault).removeprefix("pod.yaml:") for fault in unread_parts(one)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (POD, "1: spec: missing; allowed: a mapping with containers"),
        (f"{POD}spec:\n", "3: spec: missing; allowed: a mapping with containers"),
        (f"{POD}spec: []\n", "3: spec: a list is given; allowed: a mapping"),
        (f"{POD}spec: {{}}\n", "3: spec.containers: missing; allowed: a list"),
        (
            f"{POD}spec:\n  containers: {{name: train}}\n",
            "4: spec.containers: a mapping is given; allowed: a list",
        ),
        (
            f"{POD}spec:\n  containers: [train]\n",
            '4: spec.containers[0]: "train" is a string; allowed: a mapping',
        ),
        (
            f"{POD}spec:\n  containers:\n    - resources: {{limits: [nvidia.com/gpu]}}\n",
            "5: spec.containers[0].resources.limits: a list is given; allowed: a mapping",
        ),
        (
            f"{POD}spec:\n  containers: {CONTAINERS}\n  tolerations: {{operator: Exists}}\n",
            "5: spec.tolerations: a mapping is given; allowed: a list",
        ),
        (
            f"{POD}metadata: pod\nspec: {{containers: {CONTAINERS}}}\n",
            '3: metadata: "pod" is a string; allowed: a mapping',
        ),
        (JOB, "1: spec.template: missing; allowed: a mapping with spec"),
        (
            f"{JOB}spec:\n  template:\n    containers: {CONTAINERS}\n",
            "4: spec.template.spec: missing; allowed: a mapping with containers",
        ),
        (LIST, "1: items: no value is given; allowed: a list of objects"),
        (f"{LIST}items: {{}}\n", "3: items: a mapping is given; allowed: a list of objects"),
        (f"{LIST}items: []\n", "3: items: empty; allowed: a list with at least 1 object"),
        (
            f"{LIST}items:\n  - spec: {{containers: {CONTAINERS}}}\n",
            "4: items[0]: not an object; allowed: a mapping with apiVersion and kind",
        ),
        (
            f"{LIST}items:\n  - {{apiVersion: v1, kind: Pod}}\n",
            "4: items[0].spec: missing; allowed: a mapping with containers",
        ),
        (
            f"{JOB_SET}spec: {{replicatedJobs: [{{template: {{spec: {{template: 1}}}}}}]}}\n",
            "3: spec.replicatedJobs[0].template.spec.template: 1 is a number; allowed: a mapping",
        ),
        (f"{JOB}spec: [template]\n", "3: spec: a list is given; allowed: a mapping"),
        (
            f"{RAY_CLUSTER}spec: {{headGroupSpec: [template]}}\n",
            "3: spec.headGroupSpec: a list is given; allowed: a mapping",
        ),
        (
            f"{JOB_SET}spec: {{replicatedJobs: 5}}\n",
            "3: spec.replicatedJobs: 5 is a number; allowed: a list or a mapping",
        ),
        (
            f"{PYTORCH_JOB}spec: {{pytorchReplicaSpecs: [a]}}\n",
            '3: spec.pytorchReplicaSpecs[0]: "a" is a string; allowed: a mapping',
        ),
        (
            f"{PYTORCH_JOB}spec: {{pytorchReplicaSpecs: {{Master: 5}}}}\n",
            "3: spec.pytorchReplicaSpecs.Master: 5 is a number; allowed: a mapping",
        ),
        (
            f"{RAY_CLUSTER}spec: {{workerGroupSpecs: {{a: b}}}}\n",
            '3: spec.workerGroupSpecs.a: "b" is a string; allowed: a mapping',
        ),
        (f"{RAY_CLUSTER}spec: 5\n", "3: spec: 5 is a number; allowed: a mapping"),
        (
            f"{TRAIN_JOB}spec: {{podSpecOverrides: [a]}}\n",
            '3: spec.podSpecOverrides[0]: "a" is a string; allowed: a mapping',
        ),
        (
            f"{APP_WRAPPER}spec: {{components: [{{template: [a]}}]}}\n",
            "3: spec.components[0].template: a list is given; allowed: a mapping",
        ),
        (
            f"{APP_WRAPPER}spec: {{components: [{{template: {{apiVersion: v1, kind: Pod}}}}]}}\n",
            "3: spec.components[0].template.spec: missing; allowed: a mapping with containers",
        ),
    ],
)
def test_what_no_rule_would_read_is_told_by_its_line(text: str, fault: str) -> None:
    assert _faults(text) == [fault]


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ("nodeAffinity: [1]", "affinity.nodeAffinity: a list is given; allowed: a mapping"),
        (
            f"nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: {{a: b}}}}}}",
            (
                f"affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms: a mapping is given; "
                "allowed: a list"
            ),
        ),
        (
            f"nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{{matchExpressions: [5]}}]}}}}",
            (
                f"affinity.nodeAffinity.{REQUIRED}.nodeSelectorTerms[0].matchExpressions[0]: "
                "5 is a number; allowed: a mapping"
            ),
        ),
    ],
)
def test_what_no_rule_would_read_of_an_affinity_is_told(part: str, fault: str) -> None:
    text = f"{POD}spec: {{containers: {CONTAINERS}, affinity: {{{part}}}}}\n"
    assert _faults(text) == [f"3: spec.{fault}"]


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ("env: [5]", "env[0]: 5 is a number; allowed: a mapping"),
        (
            "env: [{name: A, value: 1}]",
            "env[0].value: 1 is a number in YAML; quote it; allowed: a string",
        ),
        ("image: [1]", "image: a list is given; allowed: a string"),
        (
            'securityContext: {privileged: "true"}',
            'securityContext.privileged: "true" is a string; allowed: true or false',
        ),
    ],
)
def test_what_no_rule_would_read_of_a_container_is_told(part: str, fault: str) -> None:
    text = f"{POD}spec: {{containers: [{{name: train, {part}}}]}}\n"
    assert _faults(text) == [f"3: spec.containers[0].{fault}"]


def test_what_no_rule_would_read_of_labels_and_volumes_is_told() -> None:
    volumes = "[{name: scratch, emptyDir: 5}]"
    text = f"{POD}metadata: {{labels: {{a: 5}}}}\nspec: {{containers: [], volumes: {volumes}}}\n"
    assert _faults(text) == [
        "3: metadata.labels.a: 5 is a number in YAML; quote it; allowed: a string",
        "4: spec.volumes[0].emptyDir: 5 is a number; allowed: a mapping",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            f"{PYTORCH_JOB}spec: {{pyTorchReplicaSpecs: {{}}}}\n",
            "spec.pyTorchReplicaSpecs: unknown field; nearest: pytorchReplicaSpecs",
        ),
        (
            f"{PYTORCH_JOB}spec: {{pytorchReplicaSpecs: {{Master: {{tempalte: {{}}}}}}}}\n",
            "spec.pytorchReplicaSpecs.Master.tempalte: unknown field; nearest: template",
        ),
        (
            f"{RAY_CLUSTER}spec: {{workerGroupSpec: [], headGroupSpec: {{}}}}\n",
            "spec.workerGroupSpec: unknown field; nearest: workerGroupSpecs",
        ),
        (
            f"{JOB}spec: {{Template: {{spec: {{containers: []}}}}}}\n",
            "spec.Template: unknown field; nearest: template",
        ),
    ],
)
def test_a_misspelled_field_above_pods_is_found(text: str, fault: str) -> None:
    assert _faults(text) == [f"3: {fault}"]


@pytest.mark.parametrize("kind", ["Role", "Workflow", "ConfigMap", "Queue"])
@pytest.mark.parametrize(
    ("part", "fault"),
    [
        ("name: 5", "name: 5 is a number in YAML; quote it"),
        ("generateName: 1.5", "generateName: 1.5 is a number in YAML; quote it"),
        ("namespace: 2026", "namespace: 2026 is a number in YAML; quote it"),
        ("namespace: [a]", "namespace: a list is given"),
        ("labels: {version: 1.5}", "labels.version: 1.5 is a number in YAML; quote it"),
        ("annotations: {a: true}", "annotations.a: true is a boolean in YAML; quote it"),
    ],
)
def test_the_metadata_of_every_object_is_text(kind: str, part: str, fault: str) -> None:
    text = f"apiVersion: example.com/v1\nkind: {kind}\nmetadata:\n  {part}\n"
    assert _faults(text) == [f"4: metadata.{fault}; allowed: a string"]


def test_the_metadata_of_the_objects_of_a_list_is_text() -> None:
    one = "{apiVersion: batch/v1, kind: Job, metadata: {name: 5}, spec: {template: {spec: {}}}}"
    assert _faults(f"{LIST}items:\n  - {one}\n") == [
        "4: items[0].metadata.name: 5 is a number in YAML; quote it; allowed: a string",
        "4: items[0].spec.template.spec.containers: missing; allowed: a list",
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"{POD}spec: {{containers: {CONTAINERS}, volumes: }}\n",
        f"{JOB}spec: {{template: {{spec: {{containers: []}}}}}}\n",
        f"{JOB_SET}spec: {{replicatedJobs: }}\n",
        f"{PYTORCH_JOB}spec: {{pytorchReplicaSpecs: {{Master: }}}}\n",
        f"{APP_WRAPPER}spec: {{components: [{{template: {{kind: ConfigMap}}}}]}}\n",
        "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nspec: {workloadRef: {name: api}}\n",
        "apiVersion: example.com/v1\nkind: PodTemplate\nspec: []\n",
        "apiVersion: v1\nkind: ConfigMap\n",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n",
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "5", labels: {version: "1.5", a: }}\n',
        f"{LIST}items: [{{apiVersion: v1, kind: ConfigMap}}]\n",
    ],
)
def test_what_is_read_or_creates_no_pods_has_no_fault(text: str) -> None:
    assert _faults(text) == []


TEMPLATE = "/spec/replicatedJobs/*/template/spec"


def _job_set(*items: Any) -> Any:
    return {"spec": {"replicatedJobs": list(items)}}


@pytest.mark.parametrize(
    ("document", "found"),
    [
        (_job_set({"template": {"spec": {}}}), []),
        ({}, []),
        ([], []),
        (_job_set("template", None, ["tempalte"]), []),
        ({"sepc": {}}, [("", "sepc", "spec")]),
        ({"Spec": {}, "specs": {}}, [("", "Spec", "spec"), ("", "specs", "spec")]),
        ({"spec": {}, "specs": {}}, []),
        ({"special": {}}, []),
        ({"spec": {"replicatedjobs": []}}, [("/spec", "replicatedjobs", "replicatedJobs")]),
        (
            _job_set({"template": {}}, {"templates": {}}, {"template": {"spce": {}}}),
            [
                ("/spec/replicatedJobs/1", "templates", "template"),
                ("/spec/replicatedJobs/2/template", "spce", "spec"),
            ],
        ),
    ],
)
def test_fields_that_lead_nowhere_by_a_typo_are_found(
    document: Any, found: list[tuple[str, str, str]]
) -> None:
    expected = [MisspelledField(*each) for each in found]
    assert [*misspelled_fields(document, TEMPLATE)] == expected
