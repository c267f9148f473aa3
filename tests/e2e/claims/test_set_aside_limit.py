"""Of a pool, only so many nodes are set aside for broken GPUs within a day."""

import datetime as dt
from collections.abc import Mapping
from http import HTTPStatus

import pytest

from charts_py.cluster_file.addons import GpuHealth, GpuHealthAction
from charts_py.components.gpu_health import quarantine_rules, set_aside_limit
from charts_py.components.node_readiness.controller import CONTROLLER_NAME
from charts_py.objects.document import Document
from charts_py.objects.pods import taint_objects
from tests.e2e.claims.cluster import granting
from tests.e2e.claims.test_gpu_health import watched
from tests.e2e.control_plane.api_client import MERGE_PATCH, ApiClient, ApiError, why_not
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied
from tests.e2e.scheduling.nodes import joined, nodes_of

ACCOUNT = f"system:serviceaccount:{CONTROLLER_NAME}:{CONTROLLER_NAME}"
PLATFORM = watched(GpuHealth(action=GpuHealthAction.EVICT))


def evaluated(rule: Document, taints: Mapping[str, str], hours_ago: int) -> Document:
    """Return a rule with the status that the controller gives it, by the nodes' taints."""
    time = dt.datetime.now(dt.UTC) - dt.timedelta(hours=hours_ago)
    each = {"conditionResults": [], "lastEvaluationTime": time.strftime("%Y-%m-%dT%H:%M:%SZ")}
    evaluations = [
        {"nodeName": name, "taintStatus": is_so, **each} for name, is_so in taints.items()
    ]
    return {**rule, "status": {"observedGeneration": 1, "nodeEvaluations": evaluations}}


def test_the_controller_sets_aside_no_more_nodes_of_a_pool_than_may_go_within_a_day(
    admin: ApiClient,
) -> None:
    rules = list(quarantine_rules(PLATFORM))
    (rule,) = (each for each in rules if each["metadata"]["name"].endswith("-plugged"))
    nodes = nodes_of(PLATFORM, "plugged", 2)
    taints = [*nodes[0]["spec"]["taints"], *taint_objects(PLATFORM.contribution.health_taints)]
    rights = [{"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "patch"]}]
    granted = granting("sets-nodes-aside", rights, {"kind": "User", "name": ACCOUNT})
    controller = admin.impersonating(ACCOUNT, "system:authenticated")

    def set_aside(client: ApiClient, node: Document) -> None:
        change = {"spec": {"taints": taints}}
        client.request("PATCH", client.path_of(node), change, MERGE_PATCH, dryRun="All")

    with joined(admin, *nodes), applied(admin, [*rules, *set_aside_limit(PLATFORM), *granted]):
        first, second = nodes
        names = [node["metadata"]["name"] for node in nodes]
        for node in nodes:
            heartbeat = {
                "type": "Ready",
                "status": "True",
                "lastHeartbeatTime": dt.datetime.now(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            }
            admin.patch(node, {"status": {"conditions": [heartbeat]}}, "status")
        admin.patch(
            rule, {"status": evaluated(rule, {names[0]: "Present"}, 23)["status"]}, "status"
        )
        once_seen(lambda: why_not(set_aside, controller, second), bool, seconds=30)
        with pytest.raises(ApiError) as refused:
            set_aside(controller, second)
        assert refused.value.answer.status == HTTPStatus.FORBIDDEN
        assert refused.value.message.endswith(
            "as many nodes of pool plugged as addons.gpuHealth.maxPercent allows were set aside "
            "within a day: 1."
        )
        # One that the rule counts already, and whatever else somebody does with nodes, pass.
        set_aside(controller, first)
        controller.patch(second, {"metadata": {"labels": {"looked-at": "true"}}})
        set_aside(admin, second)
        admin.patch(
            rule, {"status": evaluated(rule, {names[0]: "Present"}, 25)["status"]}, "status"
        )
        once_seen(lambda: why_not(set_aside, controller, second), lambda why: not why, seconds=30)
