"""What workloads that run would meet after a change of the rules' settings."""

import datetime as dt

import pytest

from charts_py.objects.document import Document, ObjectKey
from gpuplane.plan.declared_settings import declared_settings
from gpuplane.plan.workload_impact import (
    Loss,
    Refusal,
    WorkloadImpact,
    known_impact,
    makers,
    workload_impact,
)
from gpuplane.versions.comparison import PlacedDocuments, PlacedObject
from gpus.sharing import SharingKind
from policies.settings import OfferedResource, PoolSettings, Settings
from policies.settings_json import write_settings

TODAY = dt.date(2026, 11, 24)
WHOLE = "nvidia.com/gpu"
SLICE = "nvidia.com/mig-1g.10gb"


def _pool(name: str, *resources: str) -> PoolSettings:
    offered = tuple(OfferedResource(each, 8, SharingKind.NONE) for each in resources)
    labels = {"gpuplane.io/pool": name}
    return PoolSettings(name, "nvidia", offered, cpu=96, memory=2**40, labels=labels)


def _settings(*pools: PoolSettings) -> Settings:
    return Settings(cluster="lab", pools=pools)


def _pod_template(resource: str) -> Document:
    limits = {resource: "1", "cpu": "4", "memory": "8Gi"}
    container = {"name": "main", "image": "nvcr.io/nvidia/cuda:13", "resources": {"limits": limits}}
    return {"spec": {"containers": [container]}}


def _deployment(name: str, resource: str) -> Document:
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": "search"},
        "spec": {"template": _pod_template(resource)},
    }


def _pod_of(owner: str, resource: str) -> Document:
    owners = [{"kind": "Deployment", "name": owner, "controller": True}]
    metadata = {"name": f"{owner}-x", "namespace": "search", "ownerReferences": owners}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, **_pod_template(resource)}


BEFORE = _settings(_pool("h100", WHOLE), _pool("a100", SLICE))
AFTER = _settings(_pool("h100", WHOLE))


def test_a_workload_that_asks_for_what_is_gone_is_newly_refused_with_the_rules_message() -> None:
    ranker, trainer = _deployment("ranker", SLICE), _deployment("trainer", WHOLE)
    listed: Document = {"kind": "List", "items": [ranker, trainer, _pod_of("ranker", SLICE)]}
    impact = workload_impact([listed], BEFORE, AFTER, TODAY)
    (refusal,) = impact.refused
    assert (refusal.workload, refusal.rule) == ("Deployment search/ranker", "gpu-resource-offered")
    assert SLICE in refusal.message
    asks = ("Deployment search/ranker",)
    assert impact == WorkloadImpact(
        read=2,
        refused=(Refusal(refusal.workload, refusal.rule, refusal.message),),
        resources=(Loss(SLICE, asks),),
        pools=(Loss("a100", asks),),
    )


def test_pods_of_a_deployment_and_those_that_ended_are_no_workloads_of_their_own() -> None:
    listed = [_deployment("ranker", SLICE), _deployment("trainer", WHOLE)]
    owned, ended, other = (_pod_of("ranker-5d9", SLICE) for _ in range(3))
    owned["metadata"] |= {"labels": {"pod-template-hash": "5d9"}}
    owned["metadata"]["ownerReferences"][0]["kind"] = "ReplicaSet"
    ended["status"] = {"phase": "Succeeded"}
    assert [*makers([*listed, owned, ended, other])] == [*listed, other]


def test_what_is_refused_already_is_counted_apart() -> None:
    impact = workload_impact([_deployment("old", "nvidia.com/mig-7g.80gb")], BEFORE, AFTER, TODAY)
    assert impact == WorkloadImpact(read=1, refused_already=1)


@pytest.mark.parametrize("is_there", [True, False])
def test_the_settings_are_those_that_the_version_renders(is_there: bool) -> None:
    key = ObjectKey("", "ConfigMap", "gpuplane-system", "gpuplane-webhook-settings")
    document: Document = {"kind": "ConfigMap", "data": {"settings.json": write_settings(BEFORE)}}
    documents: PlacedDocuments = {PlacedObject("webhook", key): document} if is_there else {}
    assert declared_settings(documents) == (BEFORE if is_there else None)


def test_a_version_that_renders_no_settings_is_judged_by_those_of_its_cluster() -> None:
    workloads = [_deployment("ranker", SLICE)]
    found = known_impact(workloads, [({}, BEFORE), ({}, AFTER)], TODAY)
    assert found == workload_impact(workloads, BEFORE, AFTER, TODAY)


def test_what_workloads_meet_is_not_known_where_no_settings_are() -> None:
    found = known_impact([], [({}, BEFORE), ({}, None)], TODAY)
    assert found == "one of the versions renders no settings of the rules"
