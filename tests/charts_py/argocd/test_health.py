from collections.abc import Mapping
from typing import Any

import pytest
from lupa.lua51 import LuaRuntime  # type: ignore[import-untyped] # it has no type information

from charts_py.argocd.health import APPLICATION_KEY, DAEMON_SET_KEY, health_checks

_OLD = {"repoURL": "https://git", "path": "dist/sample/1.0.0/queues", "targetRevision": "main"}
_NEW = {**_OLD, "path": "dist/sample/1.1.0/queues"}
_AUTOMATED: Mapping[str, Any] = {"automated": {"prune": True}}
_HEALTHY: Mapping[str, Any] = {
    "health": {"status": "Healthy"},
    "sync": {"status": "Synced", "comparedTo": {"source": _NEW}},
    "operationState": {"phase": "Succeeded", "syncResult": {"source": _NEW}},
}
_OUT_OF_SYNC = {"status": "OutOfSync", "comparedTo": {"source": _NEW}}


def test_the_config_map_has_two_keys_and_no_label_that_its_owner_sets() -> None:
    document = health_checks("argocd", ("sample",))
    assert document["metadata"] == {
        "name": "argocd-cm",
        "namespace": "argocd",
        "labels": {"app.kubernetes.io/part-of": "argocd"},
        "annotations": {
            "argocd.argoproj.io/sync-options": "Prune=false,Delete=false",
            "argocd.argoproj.io/sync-wave": "-2",
        },
    }
    assert list(document["data"]) == [
        "resource.customizations.health.argoproj.io_Application",
        "resource.customizations.health.apps_DaemonSet",
    ]


@pytest.mark.parametrize(
    ("status", "sync_policy", "expected"),
    [
        ({}, _AUTOMATED, ("Progressing", "waits for its first comparison")),
        (_HEALTHY, _AUTOMATED, ("Healthy", "")),
        (
            {**_HEALTHY, "health": {"status": "Degraded", "message": "a pod crashes"}},
            _AUTOMATED,
            ("Degraded", "a pod crashes"),
        ),
        (
            {**_HEALTHY, "sync": {"status": "Synced", "comparedTo": {"source": _OLD}}},
            _AUTOMATED,
            ("Progressing", "waits for a comparison with its new source"),
        ),
        (
            {**_HEALTHY, "operationState": {"phase": "Running"}},
            _AUTOMATED,
            ("Progressing", "syncs"),
        ),
        (
            {
                **_HEALTHY,
                "sync": _OUT_OF_SYNC,
                "operationState": {
                    "phase": "Running",
                    "message": "waiting for pruning confirmation of /Namespace/research",
                    "syncResult": {"source": _NEW},
                },
            },
            _AUTOMATED,
            ("Healthy", ""),
        ),
        (
            {
                **_HEALTHY,
                "sync": _OUT_OF_SYNC,
                "operationState": {"phase": "Succeeded", "syncResult": {"source": _OLD}},
            },
            _AUTOMATED,
            ("Progressing", "waits for a sync of its new source"),
        ),
        (
            {
                **_HEALTHY,
                "sync": _OUT_OF_SYNC,
                "operationState": {"phase": "Failed", "message": "a kind is not permitted"},
            },
            _AUTOMATED,
            ("Degraded", "a kind is not permitted"),
        ),
        ({**_HEALTHY, "sync": _OUT_OF_SYNC}, _AUTOMATED, ("Healthy", "")),
        (
            {**_HEALTHY, "sync": _OUT_OF_SYNC, "operationState": None},
            {"automated": {"enabled": False}},
            ("Healthy", ""),
        ),
        ({**_HEALTHY, "sync": _OUT_OF_SYNC, "operationState": None}, None, ("Healthy", "")),
    ],
    ids=[
        "new",
        "synced and healthy",
        "degraded",
        "healthy from the version before",
        "syncing",
        "all synced but for a removal to confirm",
        "not yet synced to the new version",
        "its sync failed",
        "drifted after its sync",
        "automated sync switched off",
        "synced by a person",
    ],
)
def test_an_application_is_healthy_once_its_own_source_is_synced(
    status: Mapping[str, Any], sync_policy: Mapping[str, Any] | None, expected: tuple[str, str]
) -> None:
    script = health_checks("argocd", ("sample",))["data"][APPLICATION_KEY]
    lua = LuaRuntime()
    spec = {"source": _NEW, "syncPolicy": sync_policy}
    application = lua.table_from(_without_none({"spec": spec, "status": status}), recursive=True)
    lua.globals().obj = application
    # Argo CD opens no string library: https://github.com/argoproj/argo-cd/blob/v3.5.7/util/lua/lua.go
    lua.execute('getmetatable("").__index = nil; string = nil')
    result = lua.execute(script)
    assert (result.status, result.message) == expected


def _without_none(value: Any) -> Any:
    """Return the value as Argo CD hands it to Lua, where what is absent has no key."""
    if not isinstance(value, Mapping):
        return value
    return {key: _without_none(inner) for key, inner in value.items() if inner is not None}


_OURS = "train-gpu-operator:apps/DaemonSet:gpu-operator/worker"
_ANOTHER_CLUSTERS = "onprem-gpu-operator:apps/DaemonSet:gpu-operator/worker"
_OTHERS = "training:apps/DaemonSet:kube-system/cilium"
_DOWN = {"desiredNumberScheduled": 9, "updatedNumberScheduled": 9, "numberAvailable": 8}
_STALLED = {"desiredNumberScheduled": 9, "updatedNumberScheduled": 1, "numberAvailable": 8}
_BROKEN = {"desiredNumberScheduled": 9, "updatedNumberScheduled": 9, "numberAvailable": 0}
_WITHOUT_NODES = {"desiredNumberScheduled": 0, "updatedNumberScheduled": 0}
_ALL = {"desiredNumberScheduled": 9, "updatedNumberScheduled": 9, "numberAvailable": 9}
_ONE_DOWN = "9 of 9 pods are updated, 8 available"


@pytest.mark.parametrize(
    ("tracking_id", "status", "expected"),
    [
        (_OURS, _DOWN, ("Healthy", _ONE_DOWN)),
        (_ANOTHER_CLUSTERS, _DOWN, ("Healthy", _ONE_DOWN)),
        (_OURS, _STALLED, ("Healthy", "1 of 9 pods are updated, 8 available")),
        (_OURS, _BROKEN, ("Progressing", "9 of 9 pods are updated, 0 available")),
        (_OURS, _WITHOUT_NODES, ("Healthy", "0 of 0 pods are updated, 0 available")),
        (_OTHERS, _DOWN, ("Progressing", _ONE_DOWN)),
        (None, _DOWN, ("Progressing", _ONE_DOWN)),
        (_OTHERS, _ALL, ("Healthy", "9 of 9 pods are updated, 9 available")),
    ],
    ids=[
        "ours, with a node that is down",
        "another cluster's of the fleet",
        "ours, whose rollout such a node stalls",
        "ours, none of whose pods runs",
        "ours, without a node to run on",
        "an Application's that is not ours",
        "nobody's",
        "complete",
    ],
)
def test_a_node_that_is_down_holds_only_daemon_sets_that_are_not_ours_or_run_nowhere(
    tracking_id: str | None, status: Mapping[str, int], expected: tuple[str, str]
) -> None:
    annotations = {"argocd.argoproj.io/tracking-id": tracking_id} if tracking_id else {}
    metadata = {"generation": 2, "annotations": annotations}
    observed = {"observedGeneration": 2, **status}
    assert _health({"metadata": metadata, "spec": {}, "status": observed}) == expected


@pytest.mark.parametrize("status", [{}, {"status": {"observedGeneration": 1, **_ALL}}])
def test_a_rollout_that_has_not_begun_is_waited_for(status: Mapping[str, Any]) -> None:
    metadata = {"generation": 2, "annotations": {"argocd.argoproj.io/tracking-id": _OURS}}
    expected = ("Progressing", "waits for its rollout to begin")
    assert _health({"metadata": metadata, "spec": {}, **status}) == expected


def test_pods_that_are_replaced_by_hand_are_not_waited_for() -> None:
    metadata, spec = {"generation": 1}, {"updateStrategy": {"type": "OnDelete"}}
    status = {"observedGeneration": 1, **_STALLED}
    document = {"metadata": metadata, "spec": spec, "status": status}
    assert _health(document) == ("Healthy", "1 of 9 pods are updated, 8 available")


def _health(daemon_set: Mapping[str, Any]) -> tuple[str, str]:
    lua = LuaRuntime()
    lua.globals().obj = lua.table_from(daemon_set, recursive=True)
    # Argo CD opens no string library: https://github.com/argoproj/argo-cd/blob/v3.5.7/util/lua/lua.go
    lua.execute('getmetatable("").__index = nil; string = nil')
    result = lua.execute(health_checks("argocd", ("onprem", "train"))["data"][DAEMON_SET_KEY])
    return result.status, result.message
