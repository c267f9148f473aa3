"""The API of Kueue's objects (https://github.com/kubernetes-sigs/kueue, apis/kueue at v0.19.2)."""

GROUP = "kueue.x-k8s.io"
API_VERSION = f"{GROUP}/v1beta2"
