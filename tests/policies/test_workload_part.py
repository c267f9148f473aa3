from __future__ import annotations

from typing import Any

import pytest

from policies.document import Document
from policies.workload import PodTemplate, pod_templates

POD: Document = {"spec": {"containers": []}}
GPU = {"nvidia.com/gpu": 8}
LIMITS = {"limits": GPU}
SPOT = [{"key": "spot", "operator": "Exists"}]


def _parts(version: str, kind: str, spec: Any) -> dict[str, Document]:
    found = list(pod_templates({"apiVersion": version, "kind": kind, "spec": spec}))
    assert [template for template in found if not template.partial] == []
    return {template.pointer: template.document for template in found}


def test_what_a_train_job_states_is_a_part() -> None:
    override = {"targetJobs": [{"name": "node"}], **POD}
    job_set = {"replicatedJobs": [{"template": {"spec": {"template": POD}}}]}
    spec = {
        "trainer": {"numNodes": 2, "image": "train:1", "resourcesPerNode": LIMITS},
        "podTemplateOverrides": [override],
        "runtimePatches": [{"trainingRuntimeSpec": {"template": {"spec": job_set}}}],
    }
    parts = _parts("trainer.kubeflow.org/v1alpha1", "TrainJob", spec)
    trainer = parts.pop("/spec/trainer")["spec"]["containers"][0]
    assert (trainer["name"], trainer["image"], trainer["resources"]) == ("node", "train:1", LIMITS)
    patched = "/spec/runtimePatches/0/trainingRuntimeSpec/template/spec/replicatedJobs/0"
    assert parts == {
        "/spec/podTemplateOverrides/0": override,
        f"{patched}/template/spec/template": POD,
    }


WORKFLOW = {
    "entrypoint": "all",
    "tolerations": SPOT,
    "volumes": [{"name": "data"}],
    "templates": [
        {"name": "all", "dag": {"tasks": [{"name": "a", "template": "train"}]}},
        {
            "name": "train",
            "container": {"image": "{{inputs.parameters.image}}", "resources": LIMITS},
            "sidecars": [{"name": "log", "image": "log:1"}],
            "volumes": [{"name": "own"}],
        },
        {
            "name": "scan",
            "tolerations": [],
            "script": {"image": "scan:1", "resources": {"limits": {"nvidia.com/gpu": "{{n}}"}}},
        },
        {"name": "both", "containerSet": {"containers": [{"name": "one"}, {"name": "two"}]}},
    ],
}
VOLUMES = [{"name": "data"}]
WORKFLOW_PODS = {
    "/templates/1": {
        "spec": {
            "tolerations": SPOT,
            "volumes": [*VOLUMES, {"name": "own"}],
            "containers": [
                {"name": "main", "resources": LIMITS},
                {"name": "log", "image": "log:1"},
            ],
        }
    },
    "/templates/2": {
        "spec": {
            "tolerations": [],
            "volumes": VOLUMES,
            "containers": [{"name": "main", "image": "scan:1", "resources": {"limits": {}}}],
        }
    },
    "/templates/3": {
        "spec": {
            "tolerations": SPOT,
            "volumes": VOLUMES,
            "containers": [{"name": "one"}, {"name": "two"}],
        }
    },
}


@pytest.mark.parametrize("kind", ["Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate"])
def test_each_template_of_a_workflow_that_runs_containers_is_a_part(kind: str) -> None:
    assert _parts("argoproj.io/v1alpha1", kind, WORKFLOW) == {
        f"/spec{pointer}": pod for pointer, pod in WORKFLOW_PODS.items()
    }


def test_the_templates_of_a_cron_workflow_are_parts() -> None:
    spec = {"schedules": ["@daily"], "workflowSpec": WORKFLOW}
    assert _parts("argoproj.io/v1alpha1", "CronWorkflow", spec) == {
        f"/spec/workflowSpec{pointer}": pod for pointer, pod in WORKFLOW_PODS.items()
    }


@pytest.mark.parametrize(
    ("version", "kind", "spec", "pods"),
    [
        (
            "serving.kserve.io/v1beta1",
            "InferenceService",
            {
                "predictor": {
                    "minReplicas": 1,
                    "tolerations": SPOT,
                    "model": {"modelFormat": {"name": "llm"}, "resources": LIMITS},
                    "workerSpec": {"containers": [{"name": "worker", "resources": LIMITS}]},
                }
            },
            {
                "/spec/predictor": {
                    "tolerations": SPOT,
                    "containers": [
                        {
                            "name": "kserve-container",
                            "modelFormat": {"name": "llm"},
                            "resources": LIMITS,
                        }
                    ],
                },
                "/spec/predictor/workerSpec": {
                    "containers": [{"name": "worker", "resources": LIMITS}]
                },
            },
        ),
        (
            "serving.kserve.io/v1alpha1",
            "ServingRuntime",
            {"containers": [{"name": "kserve-container"}]},
            {"/spec": {"containers": [{"name": "kserve-container"}]}},
        ),
        (
            "serving.kserve.io/v1alpha1",
            "LLMInferenceService",
            {"template": POD["spec"], "prefill": {"worker": POD["spec"]}},
            {"/spec/template": POD["spec"], "/spec/prefill/worker": POD["spec"]},
        ),
        ("kubeflow.org/v1", "Notebook", {"template": POD}, {"/spec/template": POD["spec"]}),
        (
            "nvidia.com/v1alpha1",
            "DynamoGraphDeployment",
            {
                "services": {
                    "Decode": {
                        "resources": {"limits": {"gpu": "8", "memory": "1Ti"}},
                        "extraPodSpec": {
                            "tolerations": SPOT,
                            "mainContainer": {"image": "vllm:1"},
                            "containers": [{"name": "log"}],
                        },
                    }
                }
            },
            {
                "/spec/services/Decode": {
                    "tolerations": SPOT,
                    "containers": [
                        {
                            "name": "main",
                            "image": "vllm:1",
                            "resources": {
                                "limits": {"memory": "1Ti", "nvidia.com/gpu": "8"},
                                "requests": {},
                            },
                        },
                        {"name": "log"},
                    ],
                }
            },
        ),
        (
            "nvidia.com/v1beta1",
            "DynamoGraphDeployment",
            {"components": [{"name": "decode", "podTemplate": POD}]},
            {"/spec/components/0/podTemplate": POD["spec"]},
        ),
        (
            "apps.nvidia.com/v1alpha1",
            "NIMService",
            {"image": {"repository": "nim", "tag": "1.3"}, "resources": LIMITS, "replicas": 1},
            {"/spec": {"containers": [{"name": "nim", "resources": LIMITS, "image": "nim:1.3"}]}},
        ),
        (
            "production-stack.vllm.ai/v1alpha1",
            "VLLMRuntime",
            {
                "deploymentConfig": {
                    "image": {"registry": "docker.io", "name": "vllm:1"},
                    "resources": {"cpu": "8", "gpu": "8", "gpuType": "amd.com/gpu"},
                }
            },
            {
                "/spec/deploymentConfig": {
                    "containers": [
                        {
                            "name": "vllm",
                            "image": "docker.io/vllm:1",
                            "resources": {"limits": {"cpu": "8", "amd.com/gpu": "8"}},
                        }
                    ]
                }
            },
        ),
        (
            "grove.io/v1alpha1",
            "PodCliqueSet",
            {"template": {"cliques": [{"name": "a", "spec": {"podSpec": POD["spec"]}}]}},
            {"/spec/template/cliques/0/spec/podSpec": POD["spec"]},
        ),
        (
            "slinky.slurm.net/v1beta1",
            "NodeSet",
            {
                "slurmd": {"image": "slurmd:1", "resources": LIMITS},
                "template": {"spec": {"tolerations": SPOT}},
            },
            {
                "/spec": {
                    "tolerations": SPOT,
                    "containers": [{"name": "slurmd", "image": "slurmd:1", "resources": LIMITS}],
                }
            },
        ),
    ],
)
def test_what_a_workload_states_of_its_pods_in_fields_of_its_own_is_a_part(
    version: str, kind: str, spec: Any, pods: dict[str, Document]
) -> None:
    found = _parts(version, kind, spec)
    assert {pointer: document["spec"] for pointer, document in found.items()} == pods


def test_the_roles_of_a_spark_application_are_parts() -> None:
    executor = {
        "instances": 4,
        "gpu": {"name": "nvidia.com/gpu", "quantity": 8},
        "tolerations": SPOT,
        "sidecars": [{"name": "log"}],
        "template": {"spec": {"runtimeClassName": "nvidia", "containers": [{"name": "own"}]}},
    }
    spec = {"image": "spark:4", "driver": {}, "executor": executor}
    parts = _parts("sparkoperator.k8s.io/v1beta2", "SparkApplication", spec)
    assert list(parts) == ["/spec/driver", "/spec/executor"]
    pod = parts["/spec/executor"]["spec"]
    assert (pod["tolerations"], pod["runtimeClassName"]) == (SPOT, "nvidia")
    own, *others = pod["containers"]
    assert (own["name"], own["image"], own["resources"]) == ("executor", "spark:4", LIMITS)
    assert others == [{"name": "log"}, {"name": "own"}]


def test_a_whole_template_is_no_part() -> None:
    job = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": POD}}
    assert list(pod_templates(job)) == [PodTemplate("/spec/template", POD)]
