"""The labels and annotations by which pods and the platform's nodes speak of each other."""

from gpus.pool_facts import LABEL_PREFIX

POOL = f"{LABEL_PREFIX}/pool"
"""Node label: the pool."""
PURCHASE = f"{LABEL_PREFIX}/purchase"
"""Node label: how the node is bought. As a node selector or annotation of a pod: what it wants."""
GPU_MODEL = f"{LABEL_PREFIX}/gpu-model"
"""Node label: the family of the GPU. As an annotation of a pod: the families that it can use."""
INTERCONNECT = f"{LABEL_PREFIX}/interconnect"
"""Node label: the network between nodes. As an annotation of a pod: the networks it can use."""
NVLINK = f"{LABEL_PREFIX}/nvlink"
"""Node label: the GPUs of the node talk over NVLink. As an annotation of a pod: it needs that."""
FIXED = f"{LABEL_PREFIX}/fixed"
"""Annotation of a pod: the rules that fixed it, separated by commas."""
