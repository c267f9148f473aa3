"""The labels by which providers mark spot nodes."""

AKS_SPOT = "kubernetes.azure.com/scalesetpriority"
"""`spot` on spot nodes; AKS taints them with the same key
(https://learn.microsoft.com/azure/aks/spot-node-pool)."""
GKE_SPOT = "cloud.google.com/gke-spot"
"""`true` on spot nodes (https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms)."""
KARPENTER_CAPACITY_TYPE = "karpenter.sh/capacity-type"
"""`spot`, `on-demand` or `reserved` (https://karpenter.sh/docs/concepts/scheduling/)."""
