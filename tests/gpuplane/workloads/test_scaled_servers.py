"""Servers whose replicas KEDA makes, by the requests that they have."""

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from charts_py.cluster_file.serving import Serving
from charts_py.objects.document import Document
from gpuplane.workloads.serving.engine import engines
from gpuplane.workloads.workload import Workload, new_workload
from tests.gpuplane.workloads.conftest import ask, platform_named

PROMETHEUS = "http://prometheus-operated.monitoring.svc:9090"


def _asked(**fields: Any) -> dict[str, Any]:
    model = {"weights": "Qwen/Qwen3-8B", "parameters": "8B", "max_replicas": 4}
    return {"kind": "llm", "team": "robotics", **model, **fields}


def _new(**fields: Any) -> Workload:
    return new_workload(ask(**_asked(**fields)), platform_named("onprem"))


def _of_kind(workload: Workload, kind: str) -> Document:
    (found,) = (each for each in workload.documents if each["kind"] == kind)
    return found


def test_replicas_follow_the_requests_and_stay_where_prometheus_does_not_answer() -> None:
    assert _of_kind(_new(replicas=2), "ScaledObject")["spec"] == {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "demo"},
        "minReplicaCount": 2,
        "maxReplicaCount": 4,
        "fallback": {"failureThreshold": 3, "replicas": 2, "behavior": "currentReplicasIfHigher"},
        "advanced": {
            "horizontalPodAutoscalerConfig": {
                "behavior": {
                    "scaleUp": {
                        "stabilizationWindowSeconds": 60,
                        "policies": [
                            {"type": "Pods", "value": 1, "periodSeconds": 60},
                            {"type": "Percent", "value": 100, "periodSeconds": 60},
                        ],
                    },
                    "scaleDown": {
                        "stabilizationWindowSeconds": 728,
                        "policies": [{"type": "Pods", "value": 1, "periodSeconds": 60}],
                    },
                }
            }
        },
        "triggers": [
            {
                "type": "prometheus",
                "metricType": "AverageValue",
                "metadata": {
                    "serverAddress": PROMETHEUS,
                    "query": (
                        'sum({__name__=~"vllm:num_requests_(running|waiting)",'
                        'namespace="robotics",job="robotics/demo"})'
                    ),
                    "threshold": "12",
                    "ignoreNullValues": "false",
                },
            }
        ],
    }


def test_what_keda_scales_states_no_replicas_and_is_spread_and_drained_as_several() -> None:
    workload = _new()
    spec = _of_kind(workload, "Deployment")["spec"]
    assert "replicas" not in spec
    assert "topologySpreadConstraints" in spec["template"]["spec"]
    assert _of_kind(workload, "PodDisruptionBudget")["spec"]["maxUnavailable"] == 1


def test_a_model_of_several_nodes_is_scaled_by_whole_replicas() -> None:
    workload = _new(team="simulation", nodes=2, max_replicas=2)
    assert "replicas" not in _of_kind(workload, "LeaderWorkerSet")["spec"]
    assert _of_kind(workload, "ScaledObject")["spec"]["scaleTargetRef"] == {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "name": "demo",
    }


def test_a_cluster_without_keda_is_told_how_to_have_it() -> None:
    said = (
        "the file of onprem does not install KEDA: switch on serving.keda, or see that the cluster "
        "has it anyway"
    )
    platform = platform_named("onprem")
    cluster = platform.cluster.model_copy(update={"serving": Serving()})
    without = new_workload(ask(**_asked()), replace(platform, cluster=cluster))
    assert set(without.notes) - set(_new().notes) == {said}


@pytest.mark.parametrize("name", [name for name, each in engines().items() if each.load])
def test_a_query_names_two_series_as_prometheus_stores_them(name: str, mirror: Path) -> None:
    file = mirror / "data" / "engine-metrics.csv"
    if not file.is_file():
        pytest.skip("the mirror has no engine-metrics.csv")
    with file.open(encoding="utf-8", newline="") as opened:
        rows = [row for row in csv.DictReader(opened) if row["engine"] == name]
    load = engines()[name].load or ""
    for column in ("stored_prometheus_3", "stored_escaping_underscores"):
        stored = {row[column]: row["type"] for row in rows if re.fullmatch(load, row[column])}
        assert [*stored.values()] == ["gauge", "gauge"]
