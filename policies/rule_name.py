"""The rules on GPU pods, by the names that cluster files use."""

from enum import StrEnum


class RuleName(StrEnum):
    """One name for each rule, the same in settings, code, tests and documentation."""

    GPU_COUNT = "gpu-count"
    GPU_REQUESTS_EQUAL_LIMITS = "gpu-requests-equal-limits"
    GPU_RESOURCE_OFFERED = "gpu-resource-offered"
    GPUS_PER_NODE = "gpus-per-node"
    SHARED_GPU_COUNT = "shared-gpu-count"
    DEVICE_CLAIM = "device-claim"
    GPU_NODE_INTRUSION = "gpu-node-intrusion"
    GRANTED_POOLS = "granted-pools"
    TOLERATIONS = "tolerations"
    NODE_AFFINITY = "node-affinity"
    REPLICA_SPREAD = "replica-spread"
    RUNTIME_CLASS = "runtime-class"
    SHARED_MEMORY = "shared-memory"
    VISIBLE_DEVICES = "visible-devices"
    PRIORITY_CLASS = "priority-class"
    TEAM_LABELS = "team-labels"
    LD_PRELOAD = "ld-preload"
    DEVICE_HOST_PATH = "device-host-path"
    HOST_IPC = "host-ipc"
    PRIVILEGED = "privileged"
    IMAGE_REGISTRY = "image-registry"
    IMAGE_TAG = "image-tag"
    HOST_ARCHITECTURE = "host-architecture"
    GPU_SHARE = "gpu-share"
    TIME_SLICED_INFERENCE = "time-sliced-inference"
    MEMORY_LIMIT = "memory-limit"
