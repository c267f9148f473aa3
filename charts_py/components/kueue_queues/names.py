"""What a manager of MultiKueue and its workers agree upon."""

ACCOUNT = "multikueue"
"""ServiceAccount of a worker, which the manager acts by, with its token and its rights."""
KUBECONFIG_KEY = "kubeconfig"
"""Key of the Secret with the kubeconfig of a worker (`MultiKueueConfigSecretKey` in
https://github.com/kubernetes-sigs/kueue, apis/kueue/v1beta2/multikueue_types.go at v0.19.2)."""


def kubeconfig_secret(worker: str) -> str:
    """Return the name of the Secret of the manager by which it reaches a worker."""
    return f"{worker}-kubeconfig"
