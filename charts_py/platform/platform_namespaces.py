"""Names of the namespaces that are the platform's own, or Kubernetes'."""

GPU_OPERATOR_NAMESPACE = "gpu-operator"
AMD_GPU_OPERATOR_NAMESPACE = "amd-gpu-operator"

NODE_POOLS_NAMESPACE = "node-pools"
"""Namespace of the objects that a controller makes nodes from; no pod runs there.

Cluster-wide installations of Config Connector and of Azure Service Operator watch it as they are;
a namespaced Config Connector needs a ConfigConnectorContext there
(https://cloud.google.com/config-connector/docs/how-to/install-namespaced).
"""

WEBHOOK_NAMESPACE = "gpuplane-system"

KUBE_SYSTEM_NAMESPACE = "kube-system"
"""Where the cluster's own daemons run: no pod security level is enforced there."""

RESERVED_NAMESPACES = frozenset(
    {
        AMD_GPU_OPERATOR_NAMESPACE,
        GPU_OPERATOR_NAMESPACE,
        KUBE_SYSTEM_NAMESPACE,
        NODE_POOLS_NAMESPACE,
        WEBHOOK_NAMESPACE,
        "default",
        "kube-node-lease",
        "kube-public",
    }
)
"""Those that no team can have."""
