"""Servers without replicas, which KEDA's HTTP add-on wakes once somebody asks them."""

from pathlib import Path
from typing import Any

from charts_py.components.object_policies import object_policies
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.policy_settings import policy_settings
from gpuplane.admission.object_policies import ObjectPolicies
from gpuplane.workloads.asked import AskedError
from gpuplane.workloads.workload import Workload, new_workload
from tests.gpuplane.messages import message_of
from tests.gpuplane.workloads.conftest import ask, platform_named
from tests.rows import rows_beside
from upstream.kubeconform import run_kubeconform

each_row = rows_beside(__file__, "sleepers.yaml")
MODEL = {"kind": "llm", "weights": "Qwen/Qwen3-8B", "parameters": "8B", "replicas": 0}


def _new(cluster: str = "sample-serving", **fields: Any) -> Workload:
    return new_workload(ask(**MODEL | fields), platform_named(cluster))


def _of_kind(workload: Workload, kind: str) -> Document:
    (found,) = (each for each in workload.documents if each["kind"] == kind)
    return found


@each_row("printed")
def test_a_route_of_the_interceptor_wakes_it_and_its_times_follow_from_its_start(
    fields: dict[str, Any], route: dict[str, Any], scaled: dict[str, Any], tmp_path: Path
) -> None:
    workload = _new(**fields)
    assert _of_kind(workload, "InterceptorRoute")["spec"] == {
        **route,
        "rules": [{"hosts": ["demo.research.models.example.com"]}],
    }
    spec = _of_kind(workload, "ScaledObject")["spec"]
    assert {name: each for name, each in spec.items() if name != "advanced"} == {
        **scaled,
        "minReplicaCount": 0,
        "triggers": [
            {
                "type": "external-push",
                "metadata": {
                    "scalerAddress": "keda-add-ons-http-external-scaler.keda-http-add-on:9090",
                    "interceptorRoute": "demo",
                },
            }
        ],
    }
    file = tmp_path / "objects.yaml"
    file.write_text("---\n".join(map(to_yaml, workload.documents)), encoding="utf-8")
    assert run_kubeconform([file], "1.36").failures == ()


def test_the_policies_of_the_api_server_take_what_is_printed() -> None:
    platform = platform_named("sample-serving")
    policies = ObjectPolicies([*object_policies(platform)], policy_settings(platform))
    printed = _new(max_replicas=4).documents
    assert {"InterceptorRoute", "ScaledObject"} <= {each["kind"] for each in printed}
    for each in printed:
        assert [*policies.findings(each, "research-serving")] == []


def test_argo_cd_does_not_set_its_replicas_and_it_has_no_budget() -> None:
    workload = _new()
    assert "replicas" not in _of_kind(workload, "Deployment")["spec"]
    assert "PodDisruptionBudget" not in {each["kind"] for each in workload.documents}


@each_row("told")
def test_it_is_told_which_route_wakes_it(fields: dict[str, Any], seconds: int) -> None:
    said = (
        "`gpuplane new route demo --cluster serving --namespace research-serving --cold-start "
        f"{seconds}` leads requests to the interceptor, by which alone they wake it; one may wait "
        f"{seconds} seconds"
    )
    assert said in _new(**fields).notes


@each_row("refused")
def test_what_cannot_sleep_is_told(cluster: str, fields: dict[str, Any], said: str) -> None:
    assert message_of(AskedError, _new, cluster, **fields) == said
