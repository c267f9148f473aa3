"""The API of Kueue's objects (https://github.com/kubernetes-sigs/kueue, apis/kueue at v0.19.2)."""

GROUP = "kueue.x-k8s.io"
API_VERSION = f"{GROUP}/v1beta2"

ELASTIC_JOB = f"{GROUP}/elastic-job"
"""Annotation of a job whose number of pods may change while it runs."""
PREBUILT_WORKLOAD = f"{GROUP}/prebuilt-workload-name"
"""Label or annotation of a job: the Workload that stands for it."""
SUSPENDING_PARENT = f"{GROUP}/pod-suspending-parent"
"""Annotation of a pod, and of the template of pods: by which integration they are gated."""
