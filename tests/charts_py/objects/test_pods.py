from charts_py.objects.pods import pod_security_labels, taint_objects, tolerations_of
from charts_py.platform.platform import taints_of
from gpus.taint import Taint
from policies.settings import PodSecurity
from tests.charts_py.fixture_types import Load
from upstream.kubernetes_version import KubernetesVersion


def test_each_taint_is_tolerated_once_by_its_key_and_value(example: Load) -> None:
    assert tolerations_of(taints_of(example("mixed").pools)) == [
        {
            "key": "kubernetes.azure.com/scalesetpriority",
            "operator": "Equal",
            "value": "spot",
            "effect": "NoSchedule",
        },
        {"key": "nvidia.com/gpu", "operator": "Equal", "value": "present", "effect": "NoSchedule"},
    ]


def test_a_taint_is_written_as_the_core_api_does() -> None:
    assert taint_objects((Taint("key", "value", "NoSchedule"),)) == [
        {"key": "key", "value": "value", "effect": "NoSchedule"}
    ]


def test_nodes_without_taints_need_no_tolerations() -> None:
    assert tolerations_of(()) == []


def test_levels_are_pinned_to_the_minor_version() -> None:
    labels = pod_security_labels(
        KubernetesVersion.V1_35, enforced=PodSecurity.BASELINE, reported=PodSecurity.RESTRICTED
    )
    assert labels == {
        "pod-security.kubernetes.io/enforce": "baseline",
        "pod-security.kubernetes.io/audit": "restricted",
        "pod-security.kubernetes.io/warn": "restricted",
        "pod-security.kubernetes.io/enforce-version": "v1.35",
        "pod-security.kubernetes.io/audit-version": "v1.35",
        "pod-security.kubernetes.io/warn-version": "v1.35",
    }
