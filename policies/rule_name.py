"""The rules on GPU pods, by the names that cluster files use."""

from enum import StrEnum
from pathlib import Path


class Mode(StrEnum):
    """What a rule does with what it finds, from nothing to everything."""

    OFF = "off"
    AUDIT = "audit"
    WARN = "warn"
    ENFORCE = "enforce"


_INSTALLED = Path(__file__).with_name("pages")
"""Where the wheel puts `docs/policies` of the repository."""
_IN_REPOSITORY = Path(__file__).parents[1] / "docs" / "policies"


class RuleName(StrEnum):
    """The rules, in the order in which a pod passes them: each sees what those before have fixed.

    A name is the same in settings, code, tests and documentation, and that of the rule's module.
    """

    # What is asked for comes first: everything else is derived from it.
    GPU_COUNT = "gpu-count"
    GPU_REQUESTS_EQUAL_LIMITS = "gpu-requests-equal-limits"
    GPU_RESOURCE_OFFERED = "gpu-resource-offered"
    DEVICE_CLAIM = "device-claim"
    # Then where the pod may run: its namespace and its annotations narrow the pools, and how much
    # it may ask for and which taints it must tolerate follow from those.
    NODE_NAME = "node-name"
    GRANTED_POOLS = "granted-pools"
    GPU_NODE_INTRUSION = "gpu-node-intrusion"
    GPU_RUNTIME_CLASS = "gpu-runtime-class"
    NODE_AFFINITY = "node-affinity"
    GPUS_PER_NODE = "gpus-per-node"
    SHARED_GPU_COUNT = "shared-gpu-count"
    NODE_RESOURCES = "node-resources"
    TOLERATIONS = "tolerations"
    REPLICA_SPREAD = "replica-spread"
    RUNTIME_CLASS = "runtime-class"
    PRIORITY_CLASS = "priority-class"
    TEAM_LABELS = "team-labels"
    QUEUE_SCHEDULER = "queue-scheduler"
    # Then what its containers see, which depends on which of them ask for a GPU.
    SHARED_MEMORY = "shared-memory"
    VISIBLE_DEVICES = "visible-devices"
    POD_SECURITY = "pod-security"
    # Then what cannot be fixed and depends on nothing before.
    LD_PRELOAD = "ld-preload"
    DEVICE_HOST_PATH = "device-host-path"
    HOST_IPC = "host-ipc"
    PRIVILEGED = "privileged"
    GRACE_PERIOD = "grace-period"
    IMAGE_REGISTRY = "image-registry"
    IMAGE_TAG = "image-tag"
    # Advice comes last: it is about the pod as it will run.
    GPU_RESOURCE_NAME = "gpu-resource-name"
    HOST_ARCHITECTURE = "host-architecture"
    GPU_SHARE = "gpu-share"
    TIME_SLICED_INFERENCE = "time-sliced-inference"
    MEMORY_LIMIT = "memory-limit"


class ApiRule(StrEnum):
    """What the API server refuses by itself, by the name of the linter's rule on it."""

    CONTAINER_RESOURCES = "container-resources"


def rule_page(rule: str) -> str:
    of_linter = _IN_REPOSITORY.with_name("lint-rules")
    folder = of_linter if rule in list(ApiRule) else _IN_REPOSITORY
    folder = _INSTALLED if _INSTALLED.is_dir() else folder
    return (folder / f"{rule}.md").read_text(encoding="utf-8")
