"""Versions: semantic ones of a platform, and minors of Kubernetes with what they introduced."""

import re
from enum import StrEnum
from typing import Annotated

import semver
from pydantic import AfterValidator, Field

from charts_py.cluster_file.bounds import Refused
from upstream.kubernetes_version import KubernetesVersion

NOT_LIVE = "none"
"""In the place of a live version: Argo CD syncs none."""
_FORMAT = "MAJOR.MINOR.PATCH[-PRERELEASE]"


def _semantic_version(text: str) -> str:
    if not semver.Version.is_valid(text):
        raise Refused(f'"{text}" is not a semantic version', _FORMAT, _nearest(text))
    if semver.Version.parse(text).build is not None:
        raise Refused(f'"{text}" has build metadata', _FORMAT)
    return text


def _nearest(text: str) -> tuple[str, ...]:
    """Return the version that a tag such as `v1.2.0`, or `1.2`, stands for."""
    numbers = re.fullmatch(r"v?([0-9]+)(\.[0-9]+)?(\.[0-9]+)?(-[0-9A-Za-z.-]+)?", text)
    if numbers is None:
        return ()
    major, minor, patch, prerelease = numbers.groups()
    near = f"{major}{minor or '.0'}{patch or '.0'}{prerelease or ''}"
    return (near,) if semver.Version.is_valid(near) else ()


def _live_version(text: str) -> str:
    if text == NOT_LIVE:
        return text
    try:
        return _semantic_version(text)
    except Refused as refused:
        raise Refused(refused.what, f"{_FORMAT}, or {NOT_LIVE}", refused.nearest) from None


SemanticVersion = Annotated[
    str, AfterValidator(_semantic_version), Field(examples=["1.2.0", "1.3.0-rc.1"])
]
"""https://semver.org, without build metadata, which comparisons ignore."""
LiveVersion = Annotated[
    str, AfterValidator(_live_version), Field(examples=["1.2.0", "1.3.0-rc.1", NOT_LIVE])
]
"""The same, or `none`."""


class Feature(StrEnum):
    """What the platform emits only where the API server supports it; the value is its name."""

    RESOURCE_CLAIMS = "resource claims (resource.k8s.io/v1)"
    COMPUTE_CLASS_SHARING = "sharing of GPUs in a ComputeClass"
    ACCELERATOR_NETWORKS = "networks that GKE makes for a ComputeClass"
    EXTENDED_RESOURCES_BY_DRA = "stable DRA of extended resources (KEP-5004)"
    MUTATING_POLICIES = "policies that fix pods (MutatingAdmissionPolicy v1)"
    SAFE_POLICIES = "policies that cannot crash the API server (kubernetes#135757)"


_SINCE = {
    # https://github.com/kubernetes/enhancements/tree/master/keps/sig-node/4381-dra-structured-parameters
    Feature.RESOURCE_CLAIMS: KubernetesVersion.V1_34,
    # gpuSharing, https://cloud.google.com/kubernetes-engine/docs/reference/crds/computeclass
    Feature.COMPUTE_CLASS_SHARING: KubernetesVersion.V1_35,
    # 1.34.1-gke.1829001, https://cloud.google.com/kubernetes-engine/docs/how-to/allocate-network-resources-dra
    Feature.ACCELERATOR_NETWORKS: KubernetesVersion.V1_34,
    # On by default from 1.36, where whoever runs the cluster can still switch it off: the gate
    # DRAExtendedResource, https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/features/kube_features.go
    Feature.EXTENDED_RESOURCES_BY_DRA: KubernetesVersion.V1_37,
    # https://kubernetes.io/docs/reference/access-authn-authz/mutating-admission-policy/
    Feature.MUTATING_POLICIES: KubernetesVersion.V1_36,
    # https://github.com/kubernetes/kubernetes/pull/135759
    Feature.SAFE_POLICIES: KubernetesVersion.V1_36,
}


def since(feature: Feature) -> KubernetesVersion:
    """Return the minor version that introduced a feature."""
    return _SINCE[feature]


def has(version: KubernetesVersion, feature: Feature) -> bool:
    """Return whether an API server of this version supports the feature."""
    order = tuple(KubernetesVersion)
    return order.index(version) >= order.index(since(feature))
