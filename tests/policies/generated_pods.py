"""Pods for property tests: of every shape, with any JSON now and then, and as people write them.

`NAMESPACES` are those of the settings in `conftest.py`, and one that belongs to no team.
"""

from typing import Any, TypeAlias

from hypothesis import strategies as st

from policies.gpu_names import NAMES as DEVICE_VARIABLES

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.sampled_from([0.5, "", "0", "1", "8", "0.5", "1Gi", "x", "void", "all", "latest"])
)
NAMES = st.sampled_from(
    [
        "metadata",
        "spec",
        "containers",
        "initContainers",
        "name",
        "image",
        "resources",
        "limits",
        "requests",
        "claims",
        "env",
        "value",
        "valueFrom",
        "volumeMounts",
        "mountPath",
        "volumes",
        "hostPath",
        "path",
        "tolerations",
        "key",
        "operator",
        "effect",
        "affinity",
        "nodeAffinity",
        "nodeSelectorTerms",
        "matchExpressions",
        "values",
        "labels",
        "add",
        "annotations",
        "capabilities",
        "unknown",
        "nvidia.com/gpu",
        "memory",
        "cpu",
        "app",
    ]
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


Strategy: TypeAlias = st.SearchStrategy[Any]


def _mostly(usual: Strategy) -> Strategy:
    return st.integers(0, 19).flatmap(lambda n: usual if n else ANYTHING)


def _object(always: tuple[str, ...] = (), **members: Strategy) -> Strategy:
    usual = {name: _mostly(member) for name, member in members.items()}
    required = {name: usual.pop(name) for name in always}
    return _mostly(st.fixed_dictionaries(required, optional=usual))


def _list(element: Strategy, least: int = 0) -> Strategy:
    return st.lists(_mostly(element), min_size=least, max_size=3)


AMOUNTS = _mostly(
    st.dictionaries(
        st.sampled_from(
            [
                "nvidia.com/gpu",
                "nvidia.com/mig-1g.5gb",
                "nvidia.com/gpu.shared",
                "amd.com/gpu",
                "habana.ai/gaudi",
                "vpc.amazonaws.com/efa",
                "hugepages-2Mi",
                "smarter-devices/fuse",
                "cpu",
                "memory",
            ]
        ),
        st.sampled_from([0, 1, 8, 9, "1", "2", "0.5", "-1", "x", "64Gi", "1e3", "3Ti"]),
        min_size=1,
        max_size=3,
    )
)
VARIABLE = _object(
    name=st.sampled_from([*DEVICE_VARIABLES, "LD_PRELOAD", "A"]),
    value=st.sampled_from(["void", "none", "all", ""]),
    valueFrom=ANYTHING,
)
VOLUMES = ["gpuplane-shm", "data", "shm"]
MOUNT = _object(
    always=("name", "mountPath"),
    name=st.sampled_from(VOLUMES),
    mountPath=st.sampled_from(["/data", "/dev/shm", "/dev/shm/", "/dev"]),  # noqa: S108 # in a pod
    readOnly=st.booleans(),
)


def _context(**members: Strategy) -> Strategy:
    """Return what a container or its pod says of who it runs as."""
    return _object(
        (),
        runAsNonRoot=st.booleans(),
        runAsUser=st.sampled_from([0, 1000]),
        seccompProfile=_object(type=st.sampled_from(["RuntimeDefault", "Unconfined"])),
        **members,
    )


CONTAINER = _object(
    always=("resources",),
    name=st.sampled_from(["train", "log"]),
    image=st.sampled_from(["nginx", "ghcr.io/acme/a:1", "a:latest"]),
    resources=_object(always=("limits",), limits=AMOUNTS, requests=AMOUNTS, claims=_list(ANYTHING)),
    env=_list(VARIABLE),
    envFrom=_list(
        _object(
            configMapRef=_object(name=st.just("env")),
            prefix=st.sampled_from(["", "LD_", "NVIDIA_"]),
        )
    ),
    volumeMounts=_list(MOUNT),
    securityContext=_context(
        privileged=st.booleans(),
        allowPrivilegeEscalation=st.booleans(),
        capabilities=_object(
            add=_list(st.just("SYS_ADMIN")), drop=_list(st.sampled_from(["ALL", "NET_RAW"]))
        ),
    ),
    restartPolicy=st.just("Always"),
    unknown=ANYTHING,
)
TERM = _object(
    matchExpressions=_list(
        _object(
            key=st.sampled_from(["gpuplane.io/gpu-model", "gpuplane.io/pool", "zone"]),
            operator=st.sampled_from(["In", "Exists", "NotIn", "DoesNotExist", "Gt"]),
            values=_list(st.sampled_from(["h100", "t4", "a100-spot"])),
        )
    ),
    matchFields=_list(ANYTHING),
)
SPEC = _object(
    always=("containers",),
    containers=_list(CONTAINER, least=1),
    initContainers=_list(CONTAINER),
    ephemeralContainers=_list(CONTAINER),
    tolerations=_list(
        _object(
            key=st.sampled_from(["nvidia.com/gpu", "gpuplane.io/purchase"]),
            operator=st.sampled_from(["Exists", "Equal", "Gt"]),
            value=st.sampled_from(["present", "spot"]),
            effect=st.sampled_from(["NoSchedule", ""]),
        )
    ),
    volumes=_list(
        _object(
            always=("name",),
            name=st.sampled_from(VOLUMES),
            hostPath=_object(path=st.sampled_from(["/dev/nvidia0", "/data"])),
            emptyDir=_object(
                medium=st.sampled_from(["Memory", ""]),
                sizeLimit=st.sampled_from(["1Gi", "128Gi", "0", 8, "x"]),
            ),
            image=_object(reference=st.sampled_from(["ghcr.io/acme/a:1", "a:latest"])),
        )
    ),
    nodeSelector=st.dictionaries(
        st.sampled_from(["gpuplane.io/gpu-model", "gpuplane.io/purchase", "zone"]),
        st.sampled_from(["h100", "spot", "a"]),
        max_size=2,
    ),
    affinity=_object(
        nodeAffinity=_object(
            requiredDuringSchedulingIgnoredDuringExecution=_object(nodeSelectorTerms=_list(TERM))
        ),
        podAntiAffinity=ANYTHING,
    ),
    hostIPC=st.booleans(),
    hostUsers=st.booleans(),
    os=_object(name=st.sampled_from(["linux", "windows"])),
    securityContext=_context(),
    terminationGracePeriodSeconds=st.sampled_from([0, 30, 3601, -1]),
    schedulerName=st.sampled_from(["default-scheduler", "volcano", "mine"]),
    priorityClassName=st.sampled_from(["training", "system-node-critical", "other"]),
    priority=st.integers(0, 5),
    nodeName=st.just("node-1"),
    runtimeClassName=st.sampled_from(["nvidia", "other"]),
    overhead=AMOUNTS,
    resourceClaims=_list(ANYTHING),
    resources=_object(limits=AMOUNTS, requests=AMOUNTS),
    unknown=ANYTHING,
)
METADATA = _object(
    labels=st.dictionaries(
        st.sampled_from(["app", "gpuplane.io/team"]), st.sampled_from(["research", "a"])
    ),
    annotations=st.dictionaries(
        st.sampled_from(["gpuplane.io/gpu-model", "gpuplane.io/nvlink", "gpuplane.io/fixed"]),
        st.sampled_from(["h100", "h100,t4", "true", "h200"]),
    ),
    unknown=ANYTHING,
)
PODS = st.fixed_dictionaries({"spec": SPEC}, optional={"metadata": METADATA, "unknown": ANYTHING})
NAMESPACES = st.sampled_from(["training", "serving", "plain", "spot", "granted", "foreign"])


def _some(**members: Strategy) -> Strategy:
    return st.fixed_dictionaries({}, optional=dict(members))


_MEMORY = st.sampled_from(["128Mi", "1Gi", "16Gi", "512Gi", "3Ti"])
_CPU = st.sampled_from([1, "1500m", 48, "191.5", 400])
_OTHERS = {
    "vpc.amazonaws.com/efa": st.sampled_from([1, "32", 33]),
    "rdma/ib": st.just(1),
    "hugepages-2Mi": st.just("1Gi"),
    "smarter-devices/fuse": st.just(1),
    "nvidia.com/hostdev": st.just(1),
}
_LIMITS = _some(memory=_MEMORY) | st.builds(
    lambda resource, amount, others: {resource: amount, **others},
    st.sampled_from(["nvidia.com/gpu", "nvidia.com/gpu", "nvidia.com/gpu.shared"]),
    st.sampled_from([1, "1", 2, 4, "8"]),
    _some(memory=_MEMORY, cpu=_CPU, **_OTHERS),
)
_WRITTEN_CONTAINER = st.builds(
    lambda number, limits, others: {
        "name": f"c{number}",
        "image": "registry.example.com/train:1.4",
        "resources": {"limits": limits},
        **others,
    },
    st.integers(0, 99),
    _LIMITS,
    _some(
        env=st.just([{"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"}]),
        volumeMounts=st.sampled_from(
            [
                [{"name": "shm", "mountPath": "/dev/shm"}],  # noqa: S108 # in a pod
                [{"name": "shm", "mountPath": "/dev/shm/", "readOnly": True}],  # noqa: S108
                [{"name": "data", "mountPath": "/data"}],
            ]
        ),
    ),
)
_SIDECAR = st.builds(lambda made: {**made, "restartPolicy": "Always"}, _WRITTEN_CONTAINER)
_WRITTEN_VOLUMES = st.builds(
    lambda empty: [{"name": "shm", "emptyDir": empty}, {"name": "data", "emptyDir": {}}],
    _some(medium=st.just("Memory"), sizeLimit=st.sampled_from(["1Gi", "64Gi", "0"])),
)
WRITTEN_PODS = st.builds(
    lambda metadata, containers, spec: {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "pod", **metadata},
        "spec": {"containers": containers, **spec},
    },
    _some(
        annotations=st.dictionaries(
            st.sampled_from(["gpuplane.io/gpu-model", "gpuplane.io/nvlink", "example.com/a"]),
            st.sampled_from(["h100", "h100, t4", "true"]),
        ),
        labels=st.just({"app": "train"}),
    ),
    st.lists(_WRITTEN_CONTAINER, min_size=1, max_size=3),
    _some(
        initContainers=st.lists(_WRITTEN_CONTAINER | _SIDECAR, max_size=3),
        volumes=_WRITTEN_VOLUMES,
        tolerations=st.just([{"key": "nvidia.com/gpu", "operator": "Exists"}]),
        nodeSelector=st.just({"topology.kubernetes.io/zone": "us-east-1a"}),
        schedulerName=st.sampled_from(["default-scheduler", "volcano", "mine"]),
        resources=st.fixed_dictionaries({"limits": _some(memory=_MEMORY)}),
    ),
)
"""Pods that the API server takes, most of which need a fix or two."""
