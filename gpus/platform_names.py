"""The labels and annotations by which pods and the platform's nodes refer to each other."""

import hashlib
import re

LABEL_PREFIX = "gpuplane.io"
POOL = f"{LABEL_PREFIX}/pool"
"""Node label: the pool."""
PURPOSE = f"{LABEL_PREFIX}/purpose"
"""Node, namespace and pod label: what the pool or the namespace is for."""
PURCHASE = f"{LABEL_PREFIX}/purchase"
"""Node label: how the node is bought. As a node selector or annotation of a pod: what it wants."""
GPU_MODEL = f"{LABEL_PREFIX}/gpu-model"
"""Node label: the family of the GPU. As an annotation of a pod: the families that it can use."""
INTERCONNECT = f"{LABEL_PREFIX}/interconnect"
"""Node label: the network between nodes. As an annotation of a pod: the networks it can use."""
NVLINK = f"{LABEL_PREFIX}/nvlink"
"""Node label: the GPUs of the node talk over NVLink. As an annotation of a pod: it needs that."""
NVLINK_CHANNEL = f"{LABEL_PREFIX}/nvlink-channel"
"""The resource that queues count channels of NVLink domains as; their number has no bound."""
PLACED = f"placed-workers.{LABEL_PREFIX}"
"""Node label, and the flavor that chooses by it: in a manager of MultiKueue, of jobs that say where
their pods are to stand."""
TEAM = f"{LABEL_PREFIX}/team"
"""Namespace and pod label: the team. Network policies use it to find which namespaces belong
together."""
OWNER = f"{LABEL_PREFIX}/owner"
"""Namespace and pod label: who answers for the team."""
COST_CENTER = f"{LABEL_PREFIX}/cost-center"
"""Namespace and pod label: who pays."""
PROJECT = f"{LABEL_PREFIX}/project"
"""Namespace and pod label: what it is paid for."""
TRAINED_MODEL = f"{LABEL_PREFIX}/trained-model"
"""Pod label: what the pod trains."""
MODEL = f"{LABEL_PREFIX}/model"
"""Annotation of a pod: the alias or number in the model registry that it serves a version of."""
MODEL_VERSION = f"{LABEL_PREFIX}/model-version"
"""Annotation of a pod: the number of that version."""
MODEL_SOURCE = f"{LABEL_PREFIX}/model-source"
"""Annotation of a pod: where the files of that version are."""
FIXED = f"{LABEL_PREFIX}/fixed"
"""Annotation of a pod: the rules that fixed it, separated by commas."""
JUDGED = f"{LABEL_PREFIX}/judged"
"""Annotation of a new pod in which the webhook found nothing: a hash of settings and rules."""
_OF_NODES = (POOL, PURPOSE, PURCHASE, GPU_MODEL, INTERCONNECT, NVLINK)
_OF_MODELS = (MODEL, MODEL_VERSION, MODEL_SOURCE)
KEYS = (*_OF_NODES, TEAM, OWNER, COST_CENTER, PROJECT, TRAINED_MODEL, *_OF_MODELS, FIXED, JUDGED)
"""The labels and annotations that objects can have."""

MAX_LABEL_VALUE = 63
"""Characters: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/"""

_DIGEST_LENGTH = 8

LABEL_VALUE = r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?"
"""Source: `IsValidLabelValue` in
https://github.com/kubernetes/apimachinery/blob/master/pkg/util/validation/validation.go"""

SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
"""The name of an object, or the domain of a qualified one:
https://kubernetes.io/docs/concepts/overview/working-with-objects/names/#dns-subdomain-names"""

_PATTERN = re.compile(LABEL_VALUE)


def label_value(name: str) -> str:
    """Return the name; where it is too long for a label, its beginning and its digest."""
    if len(name) <= MAX_LABEL_VALUE:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST_LENGTH]
    head = name[: MAX_LABEL_VALUE - _DIGEST_LENGTH - 1].rstrip("-.")
    return f"{head}-{digest}"


def is_label_value(text: str) -> bool:
    """Return whether a label can have the value; the API server refuses others."""
    return len(text) <= MAX_LABEL_VALUE and _PATTERN.fullmatch(text) is not None
