from collections.abc import Mapping

from charts_py.components.warm_nodes import WARM_NODES
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings


def test_a_pool_has_an_application_with_its_placeholders(platforms: Mapping[str, Platform]) -> None:
    parts = {part.name: part for part in WARM_NODES.plan(platforms["mixed"])}
    made = {name: [*part.objects()] if part.objects else [] for name, part in parts.items()}
    assert made == {
        "warm": [
            {
                "apiVersion": "scheduling.k8s.io/v1",
                "kind": "PriorityClass",
                "metadata": {"name": "gpuplane-placeholder", "labels": LABELS},
                "value": -10,
                "globalDefault": False,
                "preemptionPolicy": "Never",
                "description": "Placeholders, which hold nodes until a pod needs them.",
            }
        ],
        "warm-a100mig": [
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": {
                    "name": "warm-a100mig",
                    "namespace": "node-pools",
                    "labels": LABELS,
                    "annotations": {"argocd.argoproj.io/ignore-healthcheck": "true"},
                },
                "spec": {
                    "replicas": 1,
                    "revisionHistoryLimit": 0,
                    "strategy": {"type": "Recreate"},
                    "selector": {"matchLabels": {"gpuplane.io/pool": "a100mig"}},
                    "template": {
                        "metadata": {"labels": {"gpuplane.io/pool": "a100mig"}},
                        "spec": POD,
                    },
                },
            }
        ],
    }


def test_no_pod_of_a_team_is_a_placeholder(platforms: Mapping[str, Platform]) -> None:
    reserved = {
        name: "gpuplane-placeholder" in policy_settings(each).reserved_priority_classes
        for name, each in platforms.items()
    }
    assert {name for name, is_reserved in reserved.items() if is_reserved} == {"inference", "mixed"}


LABELS = {"app.kubernetes.io/managed-by": "gpuplane"}
POD = {
    "nodeSelector": {"gpuplane.io/pool": "a100mig"},
    "tolerations": [
        {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"}
    ],
    "priorityClassName": "gpuplane-placeholder",
    "terminationGracePeriodSeconds": 0,
    "automountServiceAccountToken": False,
    "enableServiceLinks": False,
    "containers": [
        {
            "name": "placeholder-0",
            "image": "registry.k8s.io/pause:3.10.1",
            "resources": {
                "requests": {"cpu": "10m", "nvidia.com/gpu": "28"},
                "limits": {"nvidia.com/gpu": "28"},
            },
            "securityContext": {
                "allowPrivilegeEscalation": False,
                "capabilities": {"drop": ["ALL"]},
                "runAsNonRoot": True,
                "seccompProfile": {"type": "RuntimeDefault"},
            },
        }
    ],
}
