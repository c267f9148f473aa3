"""The CPU architecture of the machines that carry GPUs."""

HOST_ARCHITECTURE = "kubernetes.io/arch"
"""Node label that each kubelet sets
(https://kubernetes.io/docs/reference/labels-annotations-taints/)."""
USUAL_ARCHITECTURE = "amd64"
"""What images are built for where nobody thinks of it."""
