from collections.abc import Mapping
from typing import Any

import pytest
from lupa.lua51 import LuaRuntime  # type: ignore[import-untyped] # it has no type information

from charts_py.argocd.health import APPLICATION_KEY, DAEMON_SET_KEY, health_checks
from tests.rows import rows_beside

each_row = rows_beside(__file__, "health.yaml")

_NEW = {"repoURL": "https://git", "path": "dist/sample/1.1.0/queues", "targetRevision": "main"}


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


@each_row("applications")
def test_an_application_is_healthy_once_its_own_source_is_synced(
    status: Mapping[str, Any], sync_policy: Mapping[str, Any] | None, expected: list[str]
) -> None:
    spec = {"source": _NEW, "syncPolicy": sync_policy}
    application = _without_none({"spec": spec, "status": status})
    assert _health(application, APPLICATION_KEY) == expected


def _without_none(value: Any) -> Any:
    """Return the value as Argo CD hands it to Lua, where what is absent has no key."""
    if not isinstance(value, Mapping):
        return value
    return {key: _without_none(inner) for key, inner in value.items() if inner is not None}


_OURS = "train-gpu-operator:apps/DaemonSet:gpu-operator/worker"
_STALLED = {"desiredNumberScheduled": 9, "updatedNumberScheduled": 1, "numberAvailable": 8}
_ALL = {"desiredNumberScheduled": 9, "updatedNumberScheduled": 9, "numberAvailable": 9}


@each_row("daemon_sets")
def test_a_node_that_is_down_holds_only_daemon_sets_that_are_not_ours_or_run_nowhere(
    tracking_id: str | None, status: Mapping[str, int], expected: list[str]
) -> None:
    annotations = {"argocd.argoproj.io/tracking-id": tracking_id} if tracking_id else {}
    metadata = {"generation": 2, "annotations": annotations}
    observed = {"observedGeneration": 2, **status}
    assert _health({"metadata": metadata, "spec": {}, "status": observed}) == expected


@pytest.mark.parametrize("status", [{}, {"status": {"observedGeneration": 1, **_ALL}}])
def test_a_rollout_that_has_not_begun_is_waited_for(status: Mapping[str, Any]) -> None:
    metadata = {"generation": 2, "annotations": {"argocd.argoproj.io/tracking-id": _OURS}}
    expected = ["Progressing", "waits for its rollout to begin"]
    assert _health({"metadata": metadata, "spec": {}, **status}) == expected


def test_pods_that_are_replaced_by_hand_are_not_waited_for() -> None:
    metadata, spec = {"generation": 1}, {"updateStrategy": {"type": "OnDelete"}}
    status = {"observedGeneration": 1, **_STALLED}
    document = {"metadata": metadata, "spec": spec, "status": status}
    assert _health(document) == ["Healthy", "1 of 9 pods are updated, 8 available"]


def _health(document: Mapping[str, Any], key: str = DAEMON_SET_KEY) -> list[str]:
    lua = LuaRuntime()
    lua.globals().obj = lua.table_from(document, recursive=True)
    # Argo CD opens no string library: https://github.com/argoproj/argo-cd/blob/v3.5.7/util/lua/lua.go
    lua.execute('getmetatable("").__index = nil; string = nil')
    result = lua.execute(health_checks("argocd", ("onprem", "train"))["data"][key])
    return [result.status, result.message]
