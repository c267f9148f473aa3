"""Pods with more of what fixes depend on: affinity, mounts, environment, annotations."""

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from benchmarks.synthetic_pods import synthetic_pods
from gpus.platform_names import FIXED, GPU_MODEL, INTERCONNECT, NVLINK, POOL
from policies.document import Document
from policies.operation import copied
from policies.pod import REQUIRED
from policies.settings import Settings

_MODELS = (
    "h100",
    "h100, t4",
    "t4,h100,t4",
    "a100,a10g",
    "h100,unheard-of",
    "-",
    "v100",
    "a,b,c,d,e,f,g,a",
    "h100\x1b[31m",
    "\u3000h100\xa0,",
    "\x1ch100",
    "v" * 64,
    "v" * 63,
)
_SELECTING = 0.15
"""The part of pods that select labels of the platform's nodes, or others of the same keys."""
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_OPERATORS = ("In", "In", "NotIn", "Exists", "DoesNotExist")
_ENVIRONMENTS: Sequence[Sequence[Document]] = (
    [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}],
    [{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}],
    [{"name": "AMD_VISIBLE_DEVICES", "value": "0"}, {"name": "A", "value": "b"}],
    [{"name": "HABANA_VISIBLE_DEVICES_X"}],
)
_SOURCES: Sequence[Sequence[Document]] = (
    [{"configMapRef": {"name": "settings"}}],
    [{"secretRef": {"name": "settings"}, "prefix": "LD_"}],
    [{"secretRef": {"name": "settings"}, "prefix": "MINE_"}],
)
_RESOURCES = (
    "nvidia.com/gpu",
    "nvidia.com/mig-1g.10gb",
    "nvidia.com/mig-7g.80gb",
    "amd.com/gpu",
    "nvidia.com/nobodys",
    "gpu.intel.com/xe",
    "deviceclass.resource.kubernetes.io/gpu.nvidia.com",
    "vpc.amazonaws.com/efa",
    "smarter-devices/fuse",
)
_HOSTILE = ("a\x1b[2J\n", "\u202eb:1", "docker.io/" + "\u200b" * 70, "é ñ:latest", "x" * 61)
FLOATING = (
    "a:",
    "a@",
    "a:@",
    "a:latest@",
    "b:5000/a:latest:",
    "a:1:latest",
    "a:latest@@",
    "a:1@",
    "registry.example.com/a:",
    "registry.example.com/a:latest@",
    "b:5000/a",
    "b:latest/a",
)
"""Names of images whose tag or digest is empty, or only looks like one."""
_NODES = ("node-1", "n" * 63)
_SHARED: Sequence[Document] = (
    {"emptyDir": {"medium": "Memory", "sizeLimit": "1Gi"}},
    {"emptyDir": {"medium": "Memory", "sizeLimit": "3T"}},
    {"emptyDir": {"medium": "Memory", "sizeLimit": "0"}},
    {"emptyDir": {"medium": "Memory"}},
    {"emptyDir": {}},
    {"hostPath": {"path": "/dev/shm\u2028"}},  # noqa: S108
    {"hostPath": {"path": "/var/run/./nvidia\x07"}},
)
_PATHS = ("/dev/shm", "/dev//shm/", "/dev", "/data", "/dev/./shm", "/dev/../dev", "/devices")  # noqa: S108
_RUNS_AS: Sequence[Document] = ({}, {"runAsUser": 0}, {"runAsUser": 1000}, {"runAsNonRoot": True})
_PROFILES: Sequence[Document] = ({}, {"seccompProfile": {"type": "Unconfined"}})
_RIGHTS: Sequence[Document] = (
    {},
    {"allowPrivilegeEscalation": True},
    {"privileged": True},
    {"capabilities": {"add": ["SYS_ADMIN"]}},
    {"capabilities": {"drop": ["NET_RAW"]}},
    {"capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]}},
)
_GRACE_PERIODS = (1, 30, 3600, 3601, 2**63 - 1)
_CPU = ("4", "1500m", "8e21", "191", "192")
_SCHEDULERS = (
    "default-scheduler",
    "volcano",
    "mine\x1b[2J",
    "gke.io/optimize-utilization-scheduler",
)
_MEMORY = ("100Gi", "1500Mi", "1", "7000000001", "500m", "3Ti", "70Ki")


def varied_pods(settings: Settings, seed: int, count: int) -> Iterator[tuple[str, Document]]:
    """Yield pods with the namespaces that their requests name."""
    chance, security = Random(seed), Random(seed)  # noqa: S311 # they make examples, not secrets
    other, labels = Random(seed + 1), _labels(settings)  # noqa: S311 # as above
    for namespace, pod in islice(synthetic_pods(seed, settings), count):
        _steer(chance, pod, [pool.name for pool in settings.pools])
        for field in ("initContainers", "containers"):
            for container in pod["spec"].get(field) or ():
                _vary(chance, container)
        _name(chance, pod["spec"])
        _secure(security, pod["spec"])
        if other.random() < _SELECTING:
            _select(other, pod["spec"], labels)
        yield namespace, pod


def _secure(chance: Random, spec: Document) -> None:
    """Say in some places who runs the containers, and with which rights."""
    if chance.random() < 0.5:
        spec["securityContext"] = chance.choice(_RUNS_AS) | chance.choice(_PROFILES)
    if chance.random() < 0.1:
        spec |= chance.choice([{"hostUsers": False}, {"os": {"name": "windows"}}])
    for container in (*(spec.get("initContainers") or ()), *spec["containers"]):
        if chance.random() < 0.3:
            stated = chance.choice(_RUNS_AS) | chance.choice(_PROFILES) | chance.choice(_RIGHTS)
            container["securityContext"] = copied(stated)


def _labels(settings: Settings) -> Sequence[tuple[str, str]]:
    """Return labels that nodes of some pool can have, and others of the same keys."""
    tables = [t for pool in settings.pools for t in (pool.certain_labels, pool.passing_labels)]
    known = {(key, value) for table in tables for key, values in table.items() for value in values}
    absent = {(key, "spot") for key in settings.absent_labels}
    return sorted({*known, *absent, *((key, "elsewhere") for key, _ in known)})


def _select(chance: Random, spec: Document, labels: Sequence[tuple[str, str]]) -> None:
    key, value = chance.choice(labels)
    if chance.random() < 0.5:
        spec["nodeSelector"] = {key: value}
        return
    operator = chance.choice(_OPERATORS)
    values = {"values": [value]} if "In" in operator else {}
    term = {"matchExpressions": [{"key": key, "operator": operator, **values}]}
    spec["affinity"] = {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [term]}}}


def _steer(chance: Random, pod: Document, pools: Sequence[str]) -> None:
    spec = pod["spec"]
    if chance.random() < 0.5:
        terms = [_term(chance, pools) for _ in range(chance.randint(0, 3))]
        required = {"nodeSelectorTerms": terms}
        spec["affinity"] = chance.choice(
            [
                {"nodeAffinity": {REQUIRED: required}},
                {"nodeAffinity": {_PREFERRED: [{"weight": 1}]}},
                {"podAntiAffinity": {}},
                {"podAffinity": {_PREFERRED: [{}]}},
                {},
            ]
        )
    if chance.random() < 0.2:
        spec["nodeSelector"] = {chance.choice([POOL, GPU_MODEL]): chance.choice([*pools, "h100"])}
    annotations = {
        key: chance.choice(values)
        for key, values in (
            (GPU_MODEL, _MODELS),
            (INTERCONNECT, ("efa", "ethernet,efa")),
            (NVLINK, ("true", " ,")),
            (FIXED, ("team-labels", "mine,mine", "")),
        )
        if chance.random() < 0.2
    }
    pod["metadata"]["annotations"] = {**(pod["metadata"].get("annotations") or {}), **annotations}
    if chance.random() < 0.2:
        limits = {"cpu": chance.choice(_CPU), "memory": chance.choice(_MEMORY)}
        spec["resources"] = {"limits": limits}


def _name(chance: Random, spec: Document) -> None:
    """State what the pod does not: its node, its volumes, some long names, and when it ends."""
    if chance.random() < 0.1:
        spec["nodeName"] = chance.choice(_NODES)
    if chance.random() < 0.5:
        names = ("gpuplane-shm", "data", "s" * 63)
        volumes = [{"name": each, **copied(chance.choice(_SHARED))} for each in names]
        spec["volumes"] = chance.sample(volumes, chance.randint(1, 3))
    if chance.random() < 0.1:
        spec["containers"][0]["name"] = "c" * chance.randint(60, 63)
    if chance.random() < 0.2:
        spec["resourceClaims"] = [{"name": "gpu"}]
    if chance.random() < 0.1:
        spec["schedulerName"] = chance.choice(_SCHEDULERS)
    if chance.random() < 0.1:
        spec["terminationGracePeriodSeconds"] = chance.choice(_GRACE_PERIODS)


def _term(chance: Random, pools: Sequence[str]) -> Document:
    expressions = [_expression(chance, pools) for _ in range(chance.randint(0, 2))]
    fields = [{"key": "metadata.name", "operator": "In", "values": ["node"]}]
    return {
        **({"matchExpressions": expressions} if chance.random() < 0.9 else {}),
        **({"matchFields": fields} if chance.random() < 0.2 else {}),
    }


def _expression(chance: Random, pools: Sequence[str]) -> Document:
    key = chance.choice([POOL, POOL, GPU_MODEL, "zone"])
    values = chance.sample([*pools, "h100", "t4", "elsewhere"], chance.randint(1, 3))
    operator = chance.choice(_OPERATORS)
    return {"key": key, "operator": operator, **({"values": values} if "In" in operator else {})}


def _vary(chance: Random, container: Document) -> None:
    if chance.random() < 0.3:
        container["env"] = list(chance.choice(_ENVIRONMENTS))
    if chance.random() < 0.5:
        name = chance.choice(["gpuplane-shm", "data", "s" * 63])
        read_only = chance.choice([{}, {}, {"readOnly": True}])
        mount = {"name": name, "mountPath": chance.choice(_PATHS), **read_only}
        container["volumeMounts"] = [mount, {"name": "data", "mountPath": "/more"}]
    if chance.random() < 0.3:
        container["envFrom"] = copied(chance.choice(_SOURCES))
    if chance.random() < 0.1:
        container["image"] = chance.choice(_HOSTILE + FLOATING)
    resources = container["resources"]
    if chance.random() < 0.1:
        more = chance.sample(_RESOURCES, 2)
        resources["limits"] = {**(resources.get("limits") or {}), **dict.fromkeys(more, "2")}
    if chance.random() < 0.5:
        amount = {"memory": chance.choice(_MEMORY)}
        resources["limits"] = {**(resources.get("limits") or {}), **amount}
    if chance.random() < 0.1:
        resources["claims"] = [{"name": "gpu"}]
