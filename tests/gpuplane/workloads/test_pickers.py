"""Pickers, which the Gateway asks for the best replica of a model."""

from pathlib import Path
from typing import Any

import pytest

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.gateway import PICKER, PICKER_SELECTOR
from gpuplane.workloads.asked import AskedError
from gpuplane.workloads.workload import Workload, new_workload
from tests.charts_py.fixture_types import PlatformWith
from tests.gpuplane.messages import message_of
from tests.gpuplane.workloads.conftest import ask, platform_named
from tests.rows import rows_beside
from upstream.kubeconform import run_kubeconform

each_row = rows_beside(__file__, "pickers.yaml")
MODEL = {"kind": "llm", "weights": "Qwen/Qwen3-8B", "parameters": "8B", "picker": True}


def _new(cluster: str = "sample-serving", **fields: Any) -> Workload:
    return new_workload(ask(**MODEL | fields), platform_named(cluster))


def _named(workload: Workload, kind: str, name: str) -> Document:
    return {(each["kind"], each["metadata"]["name"]): each for each in workload.documents}[
        kind, name
    ]


@each_row("refused")
def test_what_has_no_picker_is_told(cluster: str, fields: dict[str, Any], said: str) -> None:
    assert said in message_of(AskedError, _new, cluster, **fields)


@each_row("pods")
def test_a_pool_has_the_pods_that_answer(
    fields: dict[str, Any], selector: dict[str, str], tmp_path: Path
) -> None:
    workload = _new(**fields)
    assert _named(workload, "InferencePool", "demo")["spec"] == {
        "selector": {"matchLabels": selector},
        "targetPorts": [{"number": 8000}],
        "endpointPickerRef": {
            "group": "",
            "kind": "Service",
            "name": "demo-picker",
            "port": {"number": 9002},
            "failureMode": "FailOpen",
        },
    }
    file = tmp_path / "objects.yaml"
    file.write_text("---\n".join(map(to_yaml, workload.documents)), encoding="utf-8")
    assert run_kubeconform([file], "1.36").failures == ()


def test_a_picker_runs_as_what_the_platform_lets_read_pods() -> None:
    workload = _new()
    deployment = _named(workload, "Deployment", "demo-picker")["spec"]
    own = {**PICKER_SELECTOR, "app.kubernetes.io/name": "demo-picker"}
    assert deployment["selector"]["matchLabels"] == own
    assert own.items() <= deployment["template"]["metadata"]["labels"].items()
    assert deployment["template"]["spec"]["serviceAccountName"] == PICKER
    assert _named(workload, "Service", "demo-picker")["spec"]["selector"] == own
    assert _named(workload, "PodMonitor", "demo-picker")["spec"] == {
        "selector": {"matchLabels": own},
        "podMetricsEndpoints": [{"port": "metrics", "path": "/metrics", "interval": "15s"}],
    }


def test_the_metrics_of_a_picker_are_of_no_revision() -> None:
    monitor = _named(_new(canary=True, replicas=2), "PodMonitor", "demo-picker")
    assert "podTargetLabels" not in monitor["spec"]


@each_row("routes")
def test_the_route_that_leads_to_a_model_over_several_nodes_is_told(
    fields: dict[str, Any], said: list[str]
) -> None:
    notes = new_workload(ask(**MODEL | fields), platform_named("sample-serving")).notes
    assert [note for note in notes if "new route" in note] == said


def test_a_picker_knows_the_engine_of_replicas_by_their_label() -> None:
    server = _named(_new(engine="sglang"), "Deployment", "demo")["spec"]["template"]
    assert server["metadata"]["labels"]["llm-d.ai/engine-type"] == "sglang"


def test_of_requests_to_a_pool_the_picker_decides_whatever_the_step_of_a_canary_is() -> None:
    notes = _new(canary=True, replicas=2).notes
    assert "; requests to its Service go to all alike, " in notes[1]
    assert notes[2] == (
        "of requests to its InferencePool the picker decides which replica answers, so that new "
        "replicas may get more of them than a step says, or fewer"
    )


@each_row("sizes")
def test_a_picker_has_what_its_replicas_and_requests_take(
    fields: dict[str, Any], resources: dict[str, Any]
) -> None:
    deployment = _named(_new(**fields), "Deployment", "demo-picker")
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    assert container["resources"] == resources


@pytest.mark.parametrize(("picker", "cpus"), [(False, "10"), (True, "9")])
def test_what_a_picker_takes_of_the_quota_its_replicas_do_not(
    picker: bool, cpus: str, platform_after: PlatformWith
) -> None:
    of_research = (
        "research-serving:\n        purpose: inference\n        quota: {gpus: {h100: 8}, cpu: "
    )
    platform = platform_after("serving", (f"{of_research}200", f"{of_research}80"))
    asked = ask(**MODEL | {"replicas": 8, "picker": picker})
    server = _named(new_workload(asked, platform), "Deployment", "demo")["spec"]["template"]
    assert server["spec"]["containers"][0]["resources"]["requests"]["cpu"] == cpus
