"""A small platform, and reviews of pods on it."""

import json
from typing import Any

from gpus.taint import Taint
from policies.document import Document
from policies.settings import NamespaceSettings, OfferedResource, PoolSettings, Settings

UID = "705ab4f5-6393-11e8-b7cc-42010a800002"
TAINT = Taint("nvidia.com/gpu", "present", "NoSchedule")
SETTINGS = Settings(
    "test",
    (
        PoolSettings(
            "h100",
            "nvidia",
            (OfferedResource("nvidia.com/gpu", 8),),
            cpu=192,
            memory=2**41,
            taints=(TAINT,),
        ),
    ),
    {"training": NamespaceSettings("research", "training")},
)


def gpu_pod(**spec: Any) -> Document:
    """Make a pod that needs two fixes."""
    amounts = {"nvidia.com/gpu": "1", "memory": "64Gi"}
    container = {"name": "train", "image": "a:1", "resources": {"limits": amounts}}
    return {"metadata": {"name": "pretrain"}, "spec": {"containers": [container], **spec}}


def request_of(pod: Any, **changes: Any) -> Document:
    return {
        "uid": UID,
        "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "operation": "CREATE",
        "namespace": "training",
        "object": pod,
        **changes,
    }


def body_of(request: Any, **changes: Any) -> bytes:
    head = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
    return json.dumps({**head, "request": request, **changes}).encode()


REVIEW = body_of(request_of(gpu_pod()))
REQUEST = b"POST /mutate HTTP/1.1\r\nhost: a\r\ncontent-length: %d\r\n\r\n" % len(REVIEW) + REVIEW
