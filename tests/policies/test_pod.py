from fractions import Fraction
from typing import Any

import pytest

from policies.container import Container, ContainerKind
from policies.document import Document
from policies.operation import Operation, apply
from policies.pod import Pod
from policies.rules.shared_memory import PATH as SHM

GPU = "nvidia.com/gpu"


def _pod(**spec: Any) -> Pod:
    return Pod({"spec": spec}, GPU.__eq__)


def _asks(amount: Any, **fields: Any) -> Document:
    return {"resources": {"limits": {GPU: amount}}, **fields}


@pytest.mark.parametrize(
    ("spec", "amount"),
    [
        ({"containers": [_asks(1), _asks("2")]}, 3),
        ({"containers": [_asks(1)], "initContainers": [_asks(4), _asks(2)]}, 4),
        ({"containers": [_asks(2)], "initContainers": [_asks(1, restartPolicy="Always")]}, 3),
        (
            {
                "containers": [_asks(1)],
                "initContainers": [_asks(4), _asks(2, restartPolicy="Always"), _asks(3)],
            },
            5,
        ),
        ({"containers": [_asks("500m")]}, Fraction(1, 2)),
        ({"containers": [{"resources": {"requests": {GPU: 2}, "limits": {GPU: 4}}}]}, 4),
        ({"containers": [{"resources": {"requests": {GPU: 2}, "limits": {GPU: None}}}]}, 2),
        ({"containers": [_asks(1)], "ephemeralContainers": [_asks(1)]}, 1),
        ({"containers": [{}], "initContainers": [_asks(2)]}, 2),
    ],
)
def test_the_effective_request(spec: Any, amount: int | Fraction) -> None:
    assert _pod(**spec).gpus == {GPU: amount}


def test_a_negative_request_of_an_init_container_reserves_nothing() -> None:
    assert _pod(containers=[{}], initContainers=[_asks(-1)]).gpus == {}


def test_a_pod_level_request_stands_for_those_of_its_containers() -> None:
    containers = [{"resources": {"requests": {"memory": "1Gi"}}}]
    assert _pod(containers=containers).effective_request("memory") == 2**30
    requests = {"requests": {"memory": "4Gi"}, "limits": {"memory": "8Gi"}}
    assert _pod(containers=containers, resources=requests).effective_request("memory") == 2**32
    limits = {"limits": {"memory": "8Gi"}}
    assert _pod(containers=containers, resources=limits).effective_request("memory") == 2**30
    assert _pod(containers=[{}], resources=limits).effective_request("memory") == 2**33


@pytest.mark.parametrize(
    ("amount", "asks"),
    [(0, False), ("0", False), (None, False), (1, True), ("x", True), (-1, True)],
)
def test_zero_asks_for_no_gpu_and_what_is_malformed_does(amount: Any, asks: bool) -> None:
    assert _pod(containers=[_asks(amount)]).asks_for_gpu is asks


def test_a_claim_asks_for_a_gpu() -> None:
    claims = {"resources": {"claims": [{"name": "gpu"}]}}
    assert _pod(containers=[claims]).asks_for_gpu
    assert _pod(resourceClaims=[{"name": "gpu"}]).asks_for_gpu


@pytest.mark.parametrize(
    ("spec", "alone"),
    [
        ({"containers": [{}], "resourceClaims": [{"name": "gpu"}]}, True),
        ({"containers": [{"resources": {"claims": [{"name": "gpu"}]}}]}, True),
        ({"containers": [_asks(0)], "resourceClaims": [{"name": "gpu"}]}, True),
        ({"containers": [_asks(1)], "resourceClaims": [{"name": "channel"}]}, False),
        ({"containers": [_asks("x")], "resourceClaims": [{"name": "gpu"}]}, False),
        ({"containers": [_asks(1)]}, False),
        ({"containers": [{}]}, False),
    ],
)
def test_a_pod_holds_claims_alone_where_it_asks_for_no_gpu_resource(spec: Any, alone: bool) -> None:
    assert _pod(**spec).claims_alone is alone


def test_the_kinds_of_containers() -> None:
    pod = _pod(
        initContainers=[{}, {"restartPolicy": "Always"}, 1],
        containers=[{"restartPolicy": "Always"}],
        ephemeralContainers=[{}],
    )
    assert [(container.kind, container.pointer) for container in pod.containers] == [
        (ContainerKind.INIT, "/spec/initContainers/0"),
        (ContainerKind.SIDECAR, "/spec/initContainers/1"),
        (ContainerKind.APP, "/spec/containers/0"),
        (ContainerKind.EPHEMERAL, "/spec/ephemeralContainers/0"),
    ]


@pytest.mark.parametrize(
    ("fields", "mounted"),
    [
        ({"volumeMounts": [{"mountPath": SHM}]}, True),
        ({"volumeMounts": [{"mountPath": f"{SHM}/", "subPath": "a"}]}, True),
        ({"volumeMounts": [{"mountPath": "//dev//./shm"}]}, True),
        ({"volumeMounts": [{"mountPath": "/dev"}]}, True),
        ({"volumeDevices": [{"devicePath": SHM}]}, True),
        ({"volumeMounts": [{"mountPath": f"{SHM}2"}, {"mountPath": "/data/dev/shm"}]}, False),
        ({"volumeMounts": [{"mountPath": "/"}, {"mountPath": 1}, None]}, False),
        ({"volumeMounts": {"mountPath": SHM}}, False),
    ],
)
def test_a_mount_is_found_at_its_path_or_above(fields: Any, mounted: bool) -> None:
    (container,) = _pod(containers=[fields]).containers
    assert container.mounts_at(SHM) is mounted


def test_a_change_is_seen_after_changed_is_called() -> None:
    pod = _pod(containers=[{}])
    assert pod.gpus == {}
    pod.document["spec"]["containers"][0]["resources"] = {"limits": {GPU: 1}}
    pod.changed([Operation("add", "/spec/tolerations/-", {})])
    assert pod.gpus == {}
    pod.changed([Operation("add", "/spec/containers/0/resources", {})])
    assert pod.gpus == {GPU: 1}


def test_windows_is_known_by_field_or_node_selector() -> None:
    assert not _pod(os={"name": "windows"}).is_windows
    assert _pod(nodeSelector={"kubernetes.io/os": "windows"}).is_windows
    assert not _pod(os={"name": "linux"}).is_windows


def test_the_namespace_falls_back_to_that_of_the_request() -> None:
    assert _pod().namespace("requested") == "requested"
    assert Pod({"metadata": {"namespace": "own"}}, GPU.__eq__).namespace("requested") == "own"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/spec/containers/0/resources", {"limits": {GPU: 1}}),
        ("/spec/containers/0/resources/limits", {GPU: 2}),
        ("/spec/containers/0/resources/claims", [{"name": "gpu"}]),
        ("/spec/containers/0/env", [{"name": "A"}]),
        ("/spec/containers/-", {"resources": {"limits": {GPU: 4}}}),
        ("/spec/containers", []),
        ("/spec/initContainers", [{"restartPolicy": "Always"}]),
        ("/spec/resourceClaims", [{"name": "gpu"}]),
        ("/spec/tolerations", [{"operator": "Exists"}]),
        ("/spec/volumes", [{"name": "data"}]),
        ("/spec/nodeSelector", {"a": "b"}),
        ("/spec", {"containers": [{"resources": {"limits": {GPU: 1}}}]}),
        ("/metadata", {"labels": {"a": "b"}}),
        ("/metadata/labels", {"a": "b"}),
        ("/metadata/annotations", {"a": "b"}),
        ("/metadata/labels/a", "b"),
    ],
)
def test_after_a_change_a_pod_reads_as_one_read_again(path: str, value: Any) -> None:
    document: Document = {
        "metadata": {"labels": {}},
        "spec": {"containers": [{"resources": {"requests": {GPU: 1}}, "env": []}]},
    }
    pod = Pod(document, GPU.__eq__)
    assert pod.variables == []
    operation = Operation("add", path, value)
    apply(document, [operation])
    pod.changed([operation])
    assert _seen(pod) == _seen(Pod(document, GPU.__eq__))


def _seen(pod: Pod) -> Any:
    containers = [_attributes(container) for container in pod.containers]
    roots = (pod.metadata, pod.spec, pod.labels, pod.annotations, pod.node_selector)
    derived = (pod.gpus, pod.asks_for_gpu, pod.has_claims, list(pod.variables))
    gpu = [container.pointer for container in pod.gpu_containers]
    return containers, roots, derived, gpu, pod.tolerations, pod.volumes


def _attributes(container: Container) -> dict[str, Any]:
    # Neither __slots__, which a compiled class has not, nor methods.
    found = {name: getattr(container, name) for name in dir(container) if name[0] != "_"}
    return {name: value for name, value in found.items() if not callable(value)}
