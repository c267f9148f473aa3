"""Bounds of what is read of a pod, above which it is refused."""

MAX_NODE_SELECTOR_TERMS = 64
"""Terms of a node affinity. The API server knows no bound, and pays for each of them at each pool:
`PerCallLimit` in k8s.io/apiserver v0.37.1 pkg/apis/cel/config.go."""
