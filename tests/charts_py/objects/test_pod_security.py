"""Labels of Pod Security Admission."""

from charts_py.cluster_file.team import PodSecurity
from charts_py.objects.pod_security import pod_security_labels
from upstream.kubernetes_version import KubernetesVersion


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
