"""Labels that tell Pod Security Admission how to check the pods of a namespace."""

from charts_py.cluster_file.team import PodSecurity
from upstream.kubernetes_version import KubernetesVersion

_PREFIX = "pod-security.kubernetes.io"


def pod_security_labels(
    version: KubernetesVersion, *, enforced: PodSecurity, reported: PodSecurity
) -> dict[str, str]:
    """Return the labels; violations of `reported` are audited and warned about, but allowed.

    The levels are pinned to the cluster's minor version: otherwise an upgrade of the control plane
    could refuse pods that were allowed the day before.
    https://kubernetes.io/docs/concepts/security/pod-security-admission/
    """
    levels = {"enforce": enforced, "audit": reported, "warn": reported}
    return {
        **{f"{_PREFIX}/{mode}": level.value for mode, level in levels.items()},
        **{f"{_PREFIX}/{mode}-version": f"v{version.value}" for mode in levels},
    }
