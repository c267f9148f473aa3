from typing import Any

import pytest

from policies.document import Document
from tests.policies.workloads.partial_pods import LIMITS, SPOT, partial_pods

POD: Document = {"spec": {"containers": []}}


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
            {
                "template": POD["spec"],
                "prefill": {"worker": POD["spec"]},
                "router": {"scheduler": {"template": POD["spec"]}},
            },
            {
                "/spec/template": POD["spec"],
                "/spec/prefill/worker": POD["spec"],
                "/spec/router/scheduler/template": POD["spec"],
            },
        ),
        (
            "serving.kserve.io/v1beta1",
            "InferenceService",
            {"canary": [{"trafficPercent": 10, "predictor": {"model": {"resources": LIMITS}}}]},
            {
                "/spec/canary/0/predictor": {
                    "containers": [{"name": "kserve-container", "resources": LIMITS}]
                }
            },
        ),
        (
            "serving.kserve.io/v1alpha1",
            "InferenceGraph",
            {"nodes": {}, "resources": LIMITS, "tolerations": SPOT},
            {
                "/spec": {
                    "tolerations": SPOT,
                    "containers": [{"name": "router", "resources": LIMITS}],
                }
            },
        ),
        (
            "orchestration.aibrix.ai/v1alpha1",
            "KVCache",
            {
                "cache": {
                    "image": "cache:1",
                    "resources": LIMITS,
                    "template": {"spec": {"tolerations": SPOT, "containers": [{"name": "log"}]}},
                },
                "metadata": {"redis": {"runtime": {"image": "redis:8"}}},
            },
            {
                "/spec/cache": {
                    "tolerations": SPOT,
                    "containers": [
                        {"name": "kvcache", "resources": LIMITS, "image": "cache:1"},
                        {"name": "log"},
                    ],
                },
                "/spec/metadata/redis/runtime": {
                    "containers": [{"name": "kvcache", "image": "redis:8"}]
                },
            },
        ),
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
            {
                "components": [
                    {
                        "name": "decode",
                        "podTemplate": POD,
                        "experimental": {"checkpoint": {"job": {"podTemplate": POD}}},
                    }
                ]
            },
            {
                "/spec/components/0/podTemplate": POD["spec"],
                "/spec/components/0/experimental/checkpoint/job/podTemplate": POD["spec"],
            },
        ),
        (
            "nvidia.com/v1alpha1",
            "DynamoCheckpoint",
            {"job": {"podTemplateSpec": POD}},
            {"/spec/job/podTemplateSpec": POD["spec"]},
        ),
        (
            "nvidia.com/v1alpha1",
            "DynamoGraphDeploymentRequest",
            {
                "profilingConfig": {
                    "profilerImage": "planner:1",
                    "resources": LIMITS,
                    "tolerations": SPOT,
                }
            },
            {
                "/spec/profilingConfig": {
                    "tolerations": SPOT,
                    "containers": [{"name": "profiler", "resources": LIMITS, "image": "planner:1"}],
                }
            },
        ),
        (
            "nvidia.com/v1beta1",
            "DynamoGraphDeploymentRequest",
            {
                "overrides": {
                    "profilingJob": {"template": POD},
                    "dgd": {
                        "apiVersion": "nvidia.com/v1beta1",
                        "kind": "DynamoGraphDeployment",
                        "spec": {"components": [{"name": "decode", "podTemplate": POD}]},
                    },
                }
            },
            {
                "/spec/overrides/profilingJob/template": POD["spec"],
                "/spec/overrides/dgd/spec/components/0/podTemplate": POD["spec"],
            },
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
    ],
)
def test_what_a_service_states_of_its_pods_in_fields_of_its_own_is_a_part(
    version: str, kind: str, spec: Any, pods: dict[str, Document]
) -> None:
    found = partial_pods(version, kind, spec)
    assert {pointer: document["spec"] for pointer, document in found.items()} == pods
