"""The health check of Applications, run by the Lua version that Argo CD embeds."""

from collections.abc import Mapping
from typing import Any

import pytest
from lupa.lua51 import LuaRuntime  # type: ignore[import-untyped] # it has no type information

from charts_py.argocd.health import APPLICATION_KEY, health_checks

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
    status: Mapping[str, Any],
    sync_policy: Mapping[str, Any] | None,
    expected: tuple[str, str],
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
