from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gpus.sharing import SharingKind
from policies.document import Document
from policies.finding import Finding, Severity
from policies.operation import Operation
from policies.rules.shared_memory import PATH, RULE, VOLUME
from policies.settings import OfferedResource, PoolSettings, SharedMemorySettings

Found = Callable[..., list[Finding]]
MakePod = Callable[..., Document]


def _limited(memory: str) -> Document:
    return {"resources": {"limits": {"nvidia.com/gpu": 1, "memory": memory}}}


def _size(finding: Finding) -> str:
    value = finding.fix[0].value
    volume = value[0] if isinstance(value, list) else value
    assert volume["emptyDir"]["medium"] == "Memory"
    return str(volume["emptyDir"]["sizeLimit"])


def test_volume_and_mount_are_added(found: Found, gpu_pod: MakePod) -> None:
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
        ("3Mi", "3Mi"),
        ("1001Mi", "500Mi"),
        ("512", "512"),
        ("x", "1Gi"),
    ],
)
def test_the_size_is_a_share_of_the_limit_within_floor_and_cap_and_never_above_it(
    found: Found, gpu_pod: MakePod, limit: str, size: str
) -> None:
    (finding,) = found(RULE, gpu_pod(_limited(limit)))
    assert _size(finding) == size


def test_without_a_limit_the_size_is_the_default(found: Found, gpu_pod: MakePod) -> None:
    sizing = SharedMemorySettings(default=2 * 2**30)
    (finding,) = found(RULE, gpu_pod(), shared_memory=sizing)
    assert _size(finding) == "2Gi"


def test_the_limit_of_the_pod_counts_where_the_container_has_none(
    found: Found, gpu_pod: MakePod
) -> None:
    (finding,) = found(RULE, gpu_pod(resources={"limits": {"memory": "8Gi"}}))
    assert _size(finding) == "4Gi"


def test_only_containers_with_a_gpu_are_given_it_and_the_smallest_limit_decides(
    found: Found, gpu_pod: MakePod
) -> None:
    pod = gpu_pod(_limited("16Gi"))
    pod["spec"]["containers"] += [{"name": "log"}, {"name": "small"} | _limited("2Gi")]
    (finding,) = found(RULE, pod)
    assert _size(finding) == "1Gi"
    assert finding.message == (
        "Container train, container small have no volume at /dev/shm, which is 64 MiB by default."
    )
    assert [operation.path for operation in finding.fix] == [
        "/spec/volumes",
        "/spec/containers/0/volumeMounts",
        "/spec/containers/2/volumeMounts",
    ]


@pytest.mark.parametrize(
    ("container", "spec"),
    [
        ({"volumeMounts": [{"name": "shm", "mountPath": PATH}]}, {}),
        ({"volumeMounts": [{"name": "shm", "mountPath": f"{PATH}/", "subPath": "a"}]}, {}),
        ({"volumeDevices": [{"name": "shm", "devicePath": PATH}]}, {}),
        ({}, {"hostIPC": True}),
        ({"resources": {"limits": {"nvidia.com/gpu": 0}}}, {}),
        ({"volumeMounts": "malformed"}, {}),
        ({}, {"volumes": "malformed"}),
    ],
)
def test_a_pod_is_left_alone(found: Found, gpu_pod: MakePod, container: Any, spec: Any) -> None:
    assert found(RULE, gpu_pod(container, **spec)) == []


def test_the_name_of_the_volume_does_not_collide(found: Found, gpu_pod: MakePod) -> None:
    volumes = [{"name": VOLUME}, {"name": f"{VOLUME}-2"}]
    (finding,) = found(RULE, gpu_pod(volumes=volumes))
    assert finding.fix[0].value["name"] == f"{VOLUME}-3"


def _pool(name: str, sharing: SharingKind, resource: str = "nvidia.com/gpu.shared") -> PoolSettings:
    labels = {"gpuplane.io/pool": name}
    offered = (OfferedResource(resource, 32, sharing),)
    return PoolSettings(name, "nvidia", offered, cpu=64, memory=2**40, labels=labels)


WHOLE = "nvidia.com/gpu"
ONE_SHARE = {"resources": {"limits": {"nvidia.com/gpu.shared": 1}}}
SEVERAL = {"resources": {"limits": {WHOLE: 2}}}
OWN_MOUNT = {"volumeMounts": [{"name": "shm", "mountPath": PATH}]}
BY_MPS = _pool("served", SharingKind.MPS)
BY_TIME = _pool("dev", SharingKind.TIME_SLICING)
OF_AKS = (_pool("served", SharingKind.MPS, WHOLE), _pool("h100", SharingKind.NONE, WHOLE))


@pytest.mark.parametrize("pools", [(BY_MPS,), (BY_MPS, BY_TIME)])
def test_nothing_is_mounted_over_the_memory_of_mps_in_any_pool_that_the_pod_can_run_on(
    found: Found, gpu_pod: MakePod, pools: tuple[PoolSettings, ...]
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
    found: Found, gpu_pod: MakePod, container: Any, pools: Any, spec: Any
) -> None:
    (finding,) = found(RULE, gpu_pod(container, **spec), pools=pools)
    assert finding.fix


@pytest.mark.parametrize(
    ("pools", "severity"),
    [((BY_MPS,), Severity.REFUSE), ((BY_MPS, BY_TIME), Severity.WARN), ((BY_TIME,), None)],
)
def test_a_mount_over_the_memory_of_mps_is_refused_unless_another_pool_can_run_the_pod(
    found: Found, gpu_pod: MakePod, pools: tuple[PoolSettings, ...], severity: Severity | None
) -> None:
    findings = found(RULE, gpu_pod(ONE_SHARE | OWN_MOUNT), pools=pools)
    said = (
        "shared-memory: The container train mounts a volume at /dev/shm, which hides the memory "
        "that MPS shares the GPUs of served through: CUDA fails there. Mount it elsewhere, or "
        "choose a pool without MPS."
    )
    expected = [] if severity is None else [(severity, "/spec/containers/0", said, ())]
    assert [(each.severity, each.path, str(each), each.fix) for each in findings] == expected
