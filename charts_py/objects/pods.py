"""Fields of pods, nodes and namespaces that several components set alike."""

from collections.abc import Iterable

from gpus.taint import Taint
from policies.settings import PodSecurity
from upstream.kubernetes_version import KubernetesVersion

_PREFIX = "pod-security.kubernetes.io"


def taint_objects(taints: Iterable[Taint]) -> list[dict[str, str]]:
    """Return taints as the core API writes them (`v1.Taint`), in their order."""
    return [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in taints]


def tolerations_of(taints: Iterable[Taint]) -> list[dict[str, str]]:
    """Return one toleration for each taint, as `v1.Toleration`, in their order.

    Each names key and value: a wildcard would also tolerate taints that mark a node as broken.
    """
    return [
        {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
        for taint in taints
    ]


def pull_secrets(
    names: Iterable[str], field: str = "imagePullSecrets"
) -> dict[str, list[dict[str, str]]]:
    """Leave the field out where there are no names."""
    references = secret_references(names)
    return {field: references} if references else {}


def secret_references(names: Iterable[str]) -> list[dict[str, str]] | None:
    return [{"name": name} for name in names] or None


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
