"""The NVLink domain of a namespace; each pod of its training jobs claims a channel of it.

A runtime is the same for all jobs, and so is the template that it names: a TrainJob cannot patch
`resourceClaims` (https://github.com/kubeflow/trainer, PodSpecPatch in
pkg/apis/trainer/v1alpha1/trainjob_types.go at v2.3.0).
"""

from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.fabric import CHANNEL_TEMPLATE


def compute_domain(namespace: str) -> Document:
    """Return it, for any number of nodes."""
    spec = {
        "numNodes": 0,
        "channel": {"resourceClaimTemplate": {"name": CHANNEL_TEMPLATE}},
    }
    metadata = ObjectMeta("training", namespace)
    return object_of("resource.nvidia.com/v1beta1", "ComputeDomain", metadata, {"spec": spec})
