"""The API server refuses what the plan calls immutable, and takes what it calls safe."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest

from charts_py.objects.document import Document
from gpuplane.plan.effect import Verdict
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.plan.changes import NAMESPACE, PlannedChange
from tests.e2e.releases.objects import applied, namespace

ROLE = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole"}
POD: Document = {
    "restartPolicy": "Never",
    "containers": [{"name": "main", "image": "example.com/main:1"}],
}
TEMPLATE: Document = {"metadata": {"labels": {"app": "planned"}}, "spec": POD}
NODE_POOL = {
    "spec.template.spec": {
        "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "h100"},
        "requirements": [],
    }
}
READINESS = {
    "spec.nodeSelector.matchLabels": {"a": "1"},
    "spec.conditions": [{"type": "example.com/Ready", "requiredStatus": "True"}],
    "spec.taint": {"key": "readiness.k8s.io/planned", "effect": "NoSchedule"},
    "spec.enforcementMode": "continuous",
}

REFUSED = {
    "PriorityClass value": PlannedChange(
        "scheduling.k8s.io/v1 PriorityClass", {"value": 1}, {"value": 2}
    ),
    "PriorityClass preemptionPolicy": PlannedChange(
        "scheduling.k8s.io/v1 PriorityClass", {"value": 1}, {"preemptionPolicy": "Never"}
    ),
    "StorageClass provisioner": PlannedChange(
        "storage.k8s.io/v1 StorageClass",
        {"provisioner": "example.com/a"},
        {"provisioner": "example.com/b"},
    ),
    "StorageClass reclaimPolicy": PlannedChange(
        "storage.k8s.io/v1 StorageClass",
        {"provisioner": "example.com/a", "reclaimPolicy": "Delete"},
        {"reclaimPolicy": "Retain"},
    ),
    "RuntimeClass handler": PlannedChange(
        "node.k8s.io/v1 RuntimeClass", {"handler": "nvidia"}, {"handler": "runc"}
    ),
    "IngressClass controller": PlannedChange(
        "networking.k8s.io/v1 IngressClass",
        {"spec.controller": "example.com/a"},
        {"spec.controller": "example.com/b"},
    ),
    "RoleBinding roleRef": PlannedChange(
        "rbac.authorization.k8s.io/v1 RoleBinding",
        {"roleRef": {**ROLE, "name": "view"}},
        {"roleRef": {**ROLE, "name": "edit"}},
        namespaced=True,
    ),
    "ResourceQuota scopes": PlannedChange(
        "v1 ResourceQuota",
        {"spec": {"hard": {"pods": "1"}, "scopes": ["BestEffort"]}},
        {"spec.scopes": ["NotBestEffort"]},
        namespaced=True,
    ),
    "PersistentVolumeClaim storageClassName": PlannedChange(
        "v1 PersistentVolumeClaim",
        {
            "spec": {
                "accessModes": ["ReadWriteOnce"],
                "storageClassName": "a",
                "resources": {"requests": {"storage": "1Gi"}},
            }
        },
        {"spec.storageClassName": "b"},
        namespaced=True,
    ),
    "Job template": PlannedChange(
        "batch/v1 Job",
        {"spec.template": TEMPLATE},
        {"spec.template.spec.terminationGracePeriodSeconds": 7},
        namespaced=True,
    ),
    "Deployment selector": PlannedChange(
        "apps/v1 Deployment",
        {
            "spec.selector.matchLabels": {"app": "planned"},
            "spec.template": {**TEMPLATE, "spec": {**POD, "restartPolicy": "Always"}},
        },
        {
            "spec.selector.matchLabels": {"app": "other"},
            "spec.template.metadata.labels": {"app": "other"},
        },
        namespaced=True,
    ),
    "NodePool replicas added": PlannedChange(
        "karpenter.sh/v1 NodePool", NODE_POOL, {"spec.replicas": 2}
    ),
    "NodePool replicas removed": PlannedChange(
        "karpenter.sh/v1 NodePool", {**NODE_POOL, "spec.replicas": 2}, {"spec.replicas": None}
    ),
    "NodePool kind of node class": PlannedChange(
        "karpenter.sh/v1 NodePool",
        NODE_POOL,
        {"spec.template.spec.nodeClassRef.kind": "OtherNodeClass"},
    ),
    "LocalQueue clusterQueue": PlannedChange(
        "kueue.x-k8s.io/v1beta2 LocalQueue",
        {"spec.clusterQueue": "a"},
        {"spec.clusterQueue": "b"},
        namespaced=True,
    ),
    "ResourceFlavor topologyName": PlannedChange(
        "kueue.x-k8s.io/v1beta2 ResourceFlavor",
        {"spec": {"nodeLabels": {"a": "1"}, "topologyName": "a"}},
        {"spec.topologyName": "b"},
    ),
    "ResourceFlavor nodeLabels with a topology": PlannedChange(
        "kueue.x-k8s.io/v1beta2 ResourceFlavor",
        {"spec": {"nodeLabels": {"a": "1"}, "topologyName": "a"}},
        {"spec.nodeLabels": {"a": "2"}},
    ),
    "Topology levels": PlannedChange(
        "kueue.x-k8s.io/v1beta2 Topology",
        {"spec.levels": [{"nodeLabel": "a"}]},
        {"spec.levels": [{"nodeLabel": "b"}]},
    ),
    "NVIDIADriver usePrecompiled": PlannedChange(
        "nvidia.com/v1alpha1 NVIDIADriver",
        {
            "spec": {
                "driverType": "gpu",
                "usePrecompiled": False,
                "image": "driver",
                "repository": "example.com",
                "version": "595.91.07",
            }
        },
        {"spec.usePrecompiled": True},
    ),
    "NodeReadinessRule taint": PlannedChange(
        "readiness.node.x-k8s.io/v1alpha1 NodeReadinessRule",
        READINESS,
        {"spec.taint.key": "readiness.k8s.io/other"},
    ),
    "NodeReadinessRule enforcementMode": PlannedChange(
        "readiness.node.x-k8s.io/v1alpha1 NodeReadinessRule",
        READINESS,
        {"spec.enforcementMode": "bootstrap-only"},
    ),
}

TAKEN = {
    "ResourceQuota scopeSelector": PlannedChange(
        "v1 ResourceQuota",
        {
            "spec.hard": {"pods": "1"},
            "spec.scopeSelector.matchExpressions": [
                {"scopeName": "PriorityClass", "operator": "In", "values": ["a"]}
            ],
        },
        {
            "spec.scopeSelector.matchExpressions": [
                {"scopeName": "PriorityClass", "operator": "In", "values": ["b"]}
            ]
        },
        namespaced=True,
    ),
    "NodePool replicas": PlannedChange(
        "karpenter.sh/v1 NodePool", {**NODE_POOL, "spec.replicas": 2}, {"spec.replicas": 3}
    ),
    "NodePool weight": PlannedChange(
        "karpenter.sh/v1 NodePool", {**NODE_POOL, "spec.weight": 1}, {"spec.weight": 2}
    ),
    "ResourceFlavor nodeLabels without a topology": PlannedChange(
        "kueue.x-k8s.io/v1beta2 ResourceFlavor",
        {"spec.nodeLabels": {"a": "1"}},
        {"spec.nodeLabels": {"a": "2"}},
    ),
    "StorageClass allowVolumeExpansion": PlannedChange(
        "storage.k8s.io/v1 StorageClass",
        {"provisioner": "example.com/a"},
        {"allowVolumeExpansion": True},
    ),
}


@pytest.fixture(scope="module", autouse=True)
def _place(admin: ApiClient) -> Iterator[None]:
    with applied(admin, [namespace(NAMESPACE)]):
        yield


def _each(changes: dict[str, PlannedChange]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("name", "change"), changes.items(), ids=changes.keys())


@_each(REFUSED)
def test_a_change_that_the_plan_calls_immutable_is_refused(
    name: str, change: PlannedChange, admin: ApiClient, evidence: Evidence
) -> None:
    assert change.planned.verdict is Verdict.IMMUTABLE
    with applied(admin, [change.before]), pytest.raises(ApiError) as refused:
        admin.apply(change.after, force="true")
    assert refused.value.answer.status == HTTPStatus.UNPROCESSABLE_ENTITY
    if change.namespaced:
        admin.delete(change.before)
    evidence.show(
        f"What the plan calls immutable, the API server refuses: {name}.",
        str(refused.value.answer.status),
    )


@_each(TAKEN)
def test_a_change_that_the_plan_calls_safe_is_taken(
    name: str, change: PlannedChange, admin: ApiClient, evidence: Evidence
) -> None:
    assert change.planned.verdict is Verdict.SAFE
    with applied(admin, [change.before]):
        assert admin.apply(change.after, force="true").status == HTTPStatus.OK
    if change.namespaced:
        admin.delete(change.before)
    evidence.show(f"What the plan calls safe, the API server takes: {name}.", "200")
