"""The health check of DaemonSets, run by the Lua version that Argo CD embeds."""

from collections.abc import Mapping
from typing import Any

import pytest
from lupa.lua51 import LuaRuntime  # type: ignore[import-untyped] # it has no type information

from charts_py.argocd.daemon_set_health import daemon_set_health

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
    result = lua.execute(daemon_set_health(("onprem", "train")))
    return result.status, result.message
