import copy
import datetime as dt
from typing import Any

import pytest
from hypothesis import given

from gpus.sharing import SharingKind
from policies.admission import Effect, Review
from policies.container import Container, ContainerKind
from policies.document import Document
from policies.engine import Engine
from policies.finding import Finding, Severity
from policies.operation import Operation
from policies.pod import Pod
from policies.quantity import read_quantity
from policies.rules.shared_memory import PATH, RULE, VOLUME
from policies.settings import OfferedResource, PoolSettings, Settings, SharedMemorySettings
from tests.policies.conftest import admit, found, gpu_pod
from tests.policies.generated_pods import PODS, WRITTEN_PODS

SIZING = SharedMemorySettings()
REVIEW = Review("plain", dt.date(2026, 11, 21))


def _limited(memory: str) -> Document:
    return {"resources": {"limits": {"nvidia.com/gpu": 1, "memory": memory}}}


def _memory(name: str, size: Any = None) -> Document:
    sized = {} if size is None else {"sizeLimit": size}
    return {"name": name, "emptyDir": {"medium": "Memory", **sized}}


OWN_MOUNT = {"volumeMounts": [{"name": "shm", "mountPath": PATH}]}


def _size(finding: Finding) -> str:
    value = finding.fix[0].value
    volume = value[0] if isinstance(value, list) else value
    assert volume["emptyDir"]["medium"] == "Memory"
    return str(volume["emptyDir"]["sizeLimit"])


def test_volume_and_mount_are_added() -> None:
    mounts = {"volumeMounts": [{"name": "data", "mountPath": "/data"}]}
    pod = gpu_pod(_limited("16Gi") | mounts, volumes=[{"name": "data"}])
    (finding,) = found(RULE, pod)
    volume = {"name": VOLUME, "emptyDir": {"medium": "Memory", "sizeLimit": "8Gi"}}
    assert finding.fix == (
        Operation("add", "/spec/volumes/-", volume),
        Operation("add", "/spec/containers/0/volumeMounts/-", {"name": VOLUME, "mountPath": PATH}),
    )
    assert str(finding) == (
        "shared-memory: Container train has no volume at /dev/shm, which is 64 MiB by default. "
        "Mount an emptyDir with medium Memory and sizeLimit 8Gi there."
    )


@pytest.mark.parametrize(
    ("limit", "size"),
    [
        ("16Gi", "8Gi"),
        ("100Mi", "64Mi"),
        ("32Mi", "32Mi"),
        ("1Ti", "64Gi"),
        ("1e400", "64Gi"),
        ("3Mi", "3Mi"),
        ("1001Mi", "500Mi"),
        ("512", "512"),
        ("x", "1Gi"),
    ],
)
def test_the_size_is_a_share_of_the_limit_within_floor_and_cap_and_never_above_it(
    limit: str, size: str
) -> None:
    (finding,) = found(RULE, gpu_pod(_limited(limit)))
    assert _size(finding) == size


def test_without_a_limit_the_size_is_the_default() -> None:
    sizing = SharedMemorySettings(default=2 * 2**30)
    (finding,) = found(RULE, gpu_pod(), shared_memory=sizing)
    assert _size(finding) == "2Gi"


def test_the_limit_of_the_pod_counts_where_the_container_has_none() -> None:
    (finding,) = found(RULE, gpu_pod(resources={"limits": {"memory": "8Gi"}}))
    assert _size(finding) == "4Gi"


def test_all_containers_share_one_volume_since_they_share_that_of_the_runtime() -> None:
    pod = gpu_pod(_limited("512Gi"))
    pod["spec"]["containers"].append({"name": "log", "volumeMounts": [{"mountPath": "/data"}]})
    pod["spec"]["initContainers"] = [
        {"name": "load"},
        {"name": "proxy", "restartPolicy": "Always"},
        {"name": "own"} | OWN_MOUNT,
    ]
    pod["spec"]["ephemeralContainers"] = [{"name": "debug"}]
    (finding,) = found(RULE, pod)
    mount = {"name": VOLUME, "mountPath": PATH}
    assert finding.fix[1:] == (
        Operation("add", "/spec/initContainers/0/volumeMounts", [mount]),
        Operation("add", "/spec/initContainers/1/volumeMounts", [mount]),
        Operation("add", "/spec/containers/0/volumeMounts", [mount]),
        Operation("add", "/spec/containers/1/volumeMounts/-", mount),
    )
    assert str(finding) == (
        "shared-memory: Container train has no volume at /dev/shm, which is 64 MiB by default. "
        "Mount an emptyDir with medium Memory and sizeLimit 64Gi there, and in container load, "
        "container proxy, container log, which share it."
    )


SMALL = {"name": "small"} | _limited("1Gi")
UNLIMITED = {"name": "small", "resources": {"limits": {"nvidia.com/gpu": 1}}}
WITHOUT_GPU = {"name": "small", "resources": {"limits": {"memory": "1Ti"}}}


@pytest.mark.parametrize("field", ["containers", "initContainers"])
@pytest.mark.parametrize(
    ("train", "other", "size"),
    [
        ("16Gi", SMALL, "8Gi"),
        ("128Mi", SMALL, "512Mi"),
        ("16Gi", UNLIMITED, "8Gi"),
        ("128Mi", UNLIMITED, "1Gi"),
        ("16Gi", WITHOUT_GPU, "8Gi"),
    ],
)
def test_the_size_is_the_largest_that_a_container_with_a_gpu_would_get_alone(
    train: str, other: Document, field: str, size: str
) -> None:
    pod = gpu_pod(_limited(train))
    pod["spec"].setdefault(field, []).append(other)
    (finding,) = found(RULE, pod)
    assert _size(finding) == size


def test_a_container_that_mounts_its_own_neither_gets_the_volume_nor_sizes_it() -> None:
    pod = gpu_pod(_limited("512Gi") | OWN_MOUNT, volumes=[_memory("shm", "1Gi")])
    pod["spec"]["containers"].append(SMALL)
    (finding,) = found(RULE, pod)
    assert _size(finding) == "512Mi"
    assert [operation.path for operation in finding.fix] == [
        "/spec/volumes/-",
        "/spec/containers/1/volumeMounts",
    ]


@pytest.mark.parametrize(
    ("container", "spec"),
    [
        (OWN_MOUNT, {}),
        (OWN_MOUNT, {"volumes": [_memory("shm", "1Gi")]}),
        (
            {"volumeMounts": [{"name": "shm", "mountPath": f"{PATH}/", "subPath": "a"}]},
            {"volumes": [_memory("shm", "1Gi")]},
        ),
        (_limited("1Gi") | OWN_MOUNT, {"volumes": [_memory("shm", "1Gi")]}),
        (OWN_MOUNT, {"volumes": [_memory("shm", "malformed")]}),
        ({"volumeDevices": [{"name": "shm", "devicePath": PATH}]}, {}),
        ({}, {"hostIPC": True}),
        ({"resources": {"limits": {"nvidia.com/gpu": 0}}}, {}),
        ({"volumeMounts": "malformed"}, {}),
        ({}, {"initContainers": [{"volumeMounts": "malformed"}]}),
        ({"resources": {}}, {"ephemeralContainers": [_limited("1Gi")]}),
        ({}, {"volumes": "malformed"}),
    ],
)
def test_a_pod_is_left_alone(container: Any, spec: Any) -> None:
    assert found(RULE, gpu_pod(container, **spec)) == []


def test_the_name_of_the_volume_does_not_collide() -> None:
    volumes = [{"name": VOLUME}, {"name": f"{VOLUME}-2"}]
    of_none = [{"name": "log", "volumeMounts": [{"name": f"{VOLUME}-3", "mountPath": "/data"}]}]
    (finding,) = found(RULE, gpu_pod(volumes=volumes, initContainers=of_none))
    assert finding.fix[0].value["name"] == f"{VOLUME}-4"


def _pool(name: str, sharing: SharingKind, resource: str = "nvidia.com/gpu.shared") -> PoolSettings:
    labels = {"gpuplane.io/pool": name}
    offered = (OfferedResource(resource, 32, sharing),)
    return PoolSettings(name, "nvidia", offered, cpu=64, memory=2**40, labels=labels)


WHOLE = "nvidia.com/gpu"
ONE_SHARE = {"resources": {"limits": {"nvidia.com/gpu.shared": 1}}}
SEVERAL = {"resources": {"limits": {WHOLE: 2}}}
BY_MPS = _pool("served", SharingKind.MPS)
BY_TIME = _pool("dev", SharingKind.TIME_SLICING)
OF_AKS = (_pool("served", SharingKind.MPS, WHOLE), _pool("h100", SharingKind.NONE, WHOLE))


@pytest.mark.parametrize("pools", [(BY_MPS,), (BY_MPS, BY_TIME)])
def test_nothing_is_mounted_over_the_memory_of_mps_in_any_pool_that_the_pod_can_run_on(
    pools: tuple[PoolSettings, ...],
) -> None:
    assert found(RULE, gpu_pod(ONE_SHARE), pools=pools) == []


@pytest.mark.parametrize(
    ("container", "pools", "spec"),
    [
        (ONE_SHARE, (BY_MPS, BY_TIME), {"nodeSelector": {"gpuplane.io/pool": "dev"}}),
        (SEVERAL, OF_AKS, {}),
    ],
    ids=["its node selector", "several GPUs"],
)
def test_a_pod_that_no_pool_with_mps_can_hold_is_given_memory(
    container: Any, pools: Any, spec: Any
) -> None:
    (finding,) = found(RULE, gpu_pod(container, **spec), pools=pools)
    assert finding.fix


@pytest.mark.parametrize(
    ("pools", "severity"),
    [((BY_MPS,), Severity.REFUSE), ((BY_MPS, BY_TIME), Severity.WARN), ((BY_TIME,), None)],
)
def test_a_mount_over_the_memory_of_mps_is_refused_unless_another_pool_can_run_the_pod(
    pools: tuple[PoolSettings, ...], severity: Severity | None
) -> None:
    findings = found(RULE, gpu_pod(ONE_SHARE | OWN_MOUNT), pools=pools)
    said = (
        "shared-memory: The container train mounts a volume at /dev/shm, which hides the memory "
        "that MPS shares the GPUs of served through: CUDA fails there. Mount it elsewhere, or "
        "choose a pool without MPS."
    )
    expected = [] if severity is None else [(severity, "/spec/containers/0", said, ())]
    assert [(each.severity, each.path, str(each), each.fix) for each in findings] == expected


READ_ONLY = {"volumeMounts": [{"name": "shm", "mountPath": f"{PATH}/", "readOnly": True}]}
IN_MEMORY = "Mount an emptyDir with medium Memory and sizeLimit 8Gi there."
NO_MEMORY = (", which is no emptyDir with medium Memory.", IN_MEMORY)
NO_LIMIT = (", which has no sizeLimit.", "Set spec.volumes[0].emptyDir.sizeLimit: 8Gi.")


@pytest.mark.parametrize(
    ("mount", "volume", "said"),
    [
        (OWN_MOUNT, {"emptyDir": {}}, NO_MEMORY),
        (OWN_MOUNT, {"emptyDir": {"sizeLimit": "8Gi"}}, NO_MEMORY),
        (OWN_MOUNT, {"hostPath": {"path": PATH}}, NO_MEMORY),
        (OWN_MOUNT, {"persistentVolumeClaim": {"claimName": "data"}}, NO_MEMORY),
        (OWN_MOUNT, _memory("shm"), NO_LIMIT),
        (OWN_MOUNT, _memory("shm", "0"), NO_LIMIT),
        (READ_ONLY, _memory("shm", "8Gi"), (" read-only.", "Remove readOnly from the mount.")),
        (
            OWN_MOUNT,
            _memory("shm", "20Gi"),
            (
                ", whose sizeLimit 20Gi is above the container's memory limit of 16Gi.",
                "Raise the memory limit, or create the pod with a sizeLimit of 8Gi.",
            ),
        ),
    ],
)
def test_a_mount_of_its_own_that_is_no_bounded_memory_is_a_warning_and_stays(
    mount: Document, volume: Document, said: tuple[str, str]
) -> None:
    pod = gpu_pod(_limited("16Gi") | mount, volumes=[{"name": "shm"} | volume])
    (finding,) = found(RULE, pod)
    problem, remedy = said
    mounts = "The container train mounts the volume shm at /dev/shm"
    assert (finding.severity, finding.path, finding.fix) == (
        Severity.WARN,
        "/spec/containers/0",
        (),
    )
    assert (finding.message, finding.remedy) == (f"{mounts}{problem}", remedy)


def test_a_mount_can_have_several_faults() -> None:
    pod = gpu_pod(READ_ONLY, volumes=[{"name": "shm", "emptyDir": {}}])
    assert [finding.remedy for finding in found(RULE, pod)] == [
        "Remove readOnly from the mount.",
        "Mount an emptyDir with medium Memory and sizeLimit 1Gi there.",
    ]


@pytest.mark.parametrize(
    ("others", "warned"),
    [
        ([], ["train"]),
        ([SMALL | OWN_MOUNT], ["train"]),
        ([{"name": "large"} | _limited("64Gi") | OWN_MOUNT], []),
        ([UNLIMITED | OWN_MOUNT], []),
        ([_limited("0") | OWN_MOUNT], []),
        ([WITHOUT_GPU | OWN_MOUNT], ["train"]),
    ],
)
def test_the_largest_memory_limit_of_containers_with_a_gpu_bounds_a_volume_that_they_share(
    others: list[Document], warned: list[str]
) -> None:
    pod = gpu_pod(_limited("16Gi") | OWN_MOUNT, volumes=[_memory("shm", "32Gi")])
    pod["spec"]["containers"] += others
    assert [finding.culprit for finding in found(RULE, pod)] == [f"container {n}" for n in warned]


def test_memory_that_is_resized_below_the_volume_is_a_warning() -> None:
    old = admit(gpu_pod(_limited("512Gi"))).document
    new = copy.deepcopy(old)
    new["spec"]["containers"][0]["resources"]["limits"]["memory"] = "32Gi"
    resize = {"operation": "UPDATE", "subresource": "resize", "fixes": False}
    warnings = [
        outcome.finding.message
        for outcome in admit(copy.deepcopy(new), review=resize | {"old": old}).outcomes
        if outcome.finding.rule is RULE.name and outcome.effect is Effect.WARNED
    ]
    warning = (
        "The container train mounts the volume gpuplane-shm at /dev/shm, whose sizeLimit 64Gi is "
        "above the container's memory limit of 32Gi."
    )
    assert warnings == [warning]
    unchanged = admit(copy.deepcopy(new), review=resize | {"old": new}).outcomes
    assert [each for each in unchanged if each.finding.rule is RULE.name] == []


@given(pod=PODS | WRITTEN_PODS)
def test_whatever_a_pod_is_all_its_containers_have_one_bounded_volume_where_one_is_added(
    pod: Document,
) -> None:
    engine = Engine(Settings("test"), (RULE,))
    before = Pod(copy.deepcopy(pod), engine.offer.names.is_gpu)
    fixed = engine.admit(pod, REVIEW).with_effect(Effect.FIXED)
    again = engine.admit(copy.deepcopy(pod), REVIEW)
    assert again.operations == ()
    if not fixed:
        return
    volume = pod["spec"]["volumes"][-1]
    lacking = [each for each in before.containers if not _has_mount(each)]
    assert all(_has_mount(each) for each in Pod(pod, engine.offer.names.is_gpu).containers)
    limits = [before.limit_of(each, "memory") for each in lacking if each.asks_for_gpu]
    size = read_quantity(volume["emptyDir"]["sizeLimit"])
    assert size is not None
    assert size <= max(SIZING.default if limit is None or limit < 1 else limit for limit in limits)
    assert not [each for each in again.outcomes if volume["name"] in each.finding.message]


def _has_mount(container: Container) -> bool:
    return container.kind is ContainerKind.EPHEMERAL or container.mounts_at(PATH)
