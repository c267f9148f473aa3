"""Amazon's EKS: Karpenter, or managed node groups by eksctl."""
