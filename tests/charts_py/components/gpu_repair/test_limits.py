"""What whoever has the token of repair is refused, by a real evaluator of CEL."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest

from charts_py.components.gpu_repair.objects import limits, reboot_pod
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from repair.names import ANNOTATIONS
from tests.charts_py.components.evaluated import evaluated
from tests.charts_py.fixture_types import PlatformWith

FILLED_IN = {
    "dnsPolicy": "ClusterFirst",
    "nodeName": "gpu-1",
    "nodeSelector": {"gpuplane.io/pool": "h200"},
    "preemptionPolicy": "PreemptLowerPriority",
    "priority": 2000001000,
    "schedulerName": "default-scheduler",
    "securityContext": {},
    "serviceAccount": "default",
    "serviceAccountName": "default",
    "terminationGracePeriodSeconds": 30,
}
"""What a round and the API server add to the pod."""
OF_CONTAINER = {
    "env": [
        {"name": "BOOT_ID", "value": "1f4d-2a6e"},
        {"name": "NOT_AFTER", "value": "1796026000"},
    ],
    "imagePullPolicy": "IfNotPresent",
    "terminationMessagePolicy": "File",
}


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    return platform_after("repair-reboot")


def is_allowed(platform: Platform, resource: str, **data: Any) -> bool:
    """Tell whether the policy on a resource lets a request pass, as the API server judges it."""
    name = f"{resource}.gpu-repair.gpuplane.io"
    policy: Document = next(each for each in limits(platform) if each["metadata"]["name"] == name)
    (validation,) = policy["spec"]["validations"]
    return evaluated(validation["expression"], data) is True


def pod(platform: Platform) -> Any:
    made = deepcopy(reboot_pod(platform))
    made["spec"] |= FILLED_IN
    made["spec"]["containers"][0] |= OF_CONTAINER
    return made


def test_the_pod_of_a_round_passes(platform: Platform) -> None:
    assert is_allowed(platform, "pods", object=pod(platform))


@pytest.mark.parametrize(
    "change",
    [
        {"volumes": [{"name": "host", "hostPath": {"path": "/"}}]},
        {"initContainers": [{"name": "b"}]},
        {"ephemeralContainers": [{"name": "b"}]},
        {"hostNetwork": True},
        {"shareProcessNamespace": True},
        {"runtimeClassName": "another"},
        {"restartPolicy": "Always"},
        {"activeDeadlineSeconds": 601},
        {"activeDeadlineSeconds": None},
        {"securityContext": {"sysctls": [{"name": "net.a", "value": "1"}]}},
        {"nodeSelector": {}},
        {"nodeSelector": None},
        {"containers": []},
        {"of-a-later-release": True},
    ],
    ids=str,
)
def test_a_pod_that_differs_is_refused(platform: Platform, change: Mapping[str, Any]) -> None:
    made = pod(platform)
    made["spec"] = without_nulls({**made["spec"], **change})
    assert not is_allowed(platform, "pods", object=made)


@pytest.mark.parametrize(
    "change",
    [
        {"image": "example.com/other"},
        {"command": ["/bin/sh"]},
        {"command": None},
        {"args": ["-c", "id"]},
        {"workingDir": "/proc/1/root/tmp"},
        {"envFrom": [{"configMapRef": {"name": "a"}}]},
        {"env": None},
        {"env": [{"name": "PATH", "value": "0"}]},
        {"env": [{"name": "LD_PRELOAD", "value": "0"}]},
        {"env": [{"name": "BOOT_ID", "value": ""}]},
        {"env": [{"name": "BOOT_ID", "value": "$(id)"}]},
        {"env": [{"name": "BOOT_ID", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]},
        {"terminationMessagePath": "/usr/bin/cat"},
        {"lifecycle": {"postStart": {"exec": {"command": ["sh"]}}}},
        {"livenessProbe": {"exec": {"command": ["sh"]}}},
        {"startupProbe": {"exec": {"command": ["sh"]}}},
        {"readinessProbe": {"exec": {"command": ["sh"]}}},
        {"restartPolicy": "Always"},
        {"volumeMounts": [{"name": "a", "mountPath": "/usr/bin"}]},
        {"volumeDevices": [{"name": "a", "devicePath": "/dev/a"}]},
        {"of-a-later-release": True},
    ],
    ids=str,
)
def test_a_container_that_differs_is_refused(platform: Platform, change: Mapping[str, Any]) -> None:
    made = pod(platform)
    (container,) = made["spec"]["containers"]
    made["spec"]["containers"] = [without_nulls({**container, **change})]
    assert not is_allowed(platform, "pods", object=made)


def test_a_second_container_and_what_a_runtime_reads_are_refused(platform: Platform) -> None:
    second, annotated = pod(platform), pod(platform)
    second["spec"]["containers"] *= 2
    annotated["metadata"]["annotations"] = {"io.kubernetes.cri-o.Devices": "/dev/sda"}
    assert not is_allowed(platform, "pods", object=second)
    assert not is_allowed(platform, "pods", object=annotated)


def without_nulls(content: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in content.items() if value is not None}


POOL = {"gpuplane.io/pool": "h200"}
FOREIGN = {"etcd.k3s.cattle.io/remove": "false", "flannel.alpha.coreos.com/public-ip": "192.0.2.1"}
NODE: dict[str, Any] = {
    "metadata": {"name": "gpu-1", "labels": POOL, "annotations": FOREIGN},
    "spec": {"taints": [{"key": "a", "effect": "NoSchedule"}]},
}
OWN = dict.fromkeys(ANNOTATIONS, "now")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"annotations": FOREIGN}, {"annotations": {**FOREIGN, **OWN}}),
        ({"annotations": {**FOREIGN, **OWN}}, {"annotations": FOREIGN}),
        ({"annotations": None}, {"annotations": OWN}),
        ({"annotations": OWN}, {"annotations": None}),
        ({"finalizers": ["a"]}, {"finalizers": ["a"], "annotations": {**FOREIGN, **OWN}}),
    ],
)
def test_its_own_annotations_of_a_node_of_a_pool_change(
    platform: Platform, before: Mapping[str, Any], after: Mapping[str, Any]
) -> None:
    assert is_allowed(platform, "nodes", oldObject=node(before), object=node(after))


@pytest.mark.parametrize(
    "after",
    [
        {"annotations": {**FOREIGN, "etcd.k3s.cattle.io/remove": "true"}},
        {"annotations": {**FOREIGN, "projectcalico.org/IPv4Address": "192.0.2.2"}},
        {"annotations": {"etcd.k3s.cattle.io/remove": "false"}},
        {"annotations": None},
        {"labels": {"gpuplane.io/pool": "another"}},
        {"labels": None},
        {"ownerReferences": [{"kind": "Pod", "name": "of-nobody", "uid": "a"}]},
        {"finalizers": ["example.com/for-ever"]},
    ],
    ids=str,
)
def test_nothing_else_of_a_node_changes(platform: Platform, after: Mapping[str, Any]) -> None:
    assert not is_allowed(platform, "nodes", oldObject=NODE, object=node(after))


def test_what_nodes_owned_or_held_before_stays(platform: Platform) -> None:
    before = {"ownerReferences": [{"kind": "NodeClaim", "name": "a", "uid": "a"}]}
    assert is_allowed(platform, "nodes", oldObject=node(before), object=node(before))
    assert not is_allowed(platform, "nodes", oldObject=node(before), object=NODE)


def test_a_taint_stays(platform: Platform) -> None:
    assert not is_allowed(platform, "nodes", oldObject=NODE, object={**NODE, "spec": {}})


def test_a_node_of_no_pool_is_not_even_annotated(platform: Platform) -> None:
    for labels in (None, {"node-role.kubernetes.io/control-plane": ""}):
        before, after = {"labels": labels}, {"labels": labels, "annotations": {**FOREIGN, **OWN}}
        assert not is_allowed(platform, "nodes", oldObject=node(before), object=node(after))


def node(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {**NODE, "metadata": without_nulls({**NODE["metadata"], **metadata})}


@pytest.mark.parametrize(("metadata", "allowed"), [({"labels": POOL}, True), ({}, False)])
def test_a_node_claim_is_deleted_only_of_a_pool(
    platform_after: PlatformWith, metadata: Mapping[str, Any], allowed: bool
) -> None:
    replaces, claim = platform_after("repair-replace"), {"metadata": metadata}
    assert is_allowed(replaces, "nodeclaims", oldObject=claim) is allowed
