"""The features that some minor versions of Kubernetes introduced."""

from enum import StrEnum

from upstream.kubernetes_version import KubernetesVersion


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
