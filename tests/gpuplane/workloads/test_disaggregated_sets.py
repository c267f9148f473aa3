"""DisaggregatedSets, whose replicas compute prompts, or write the answers."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.policy_settings import policy_settings
from gpuplane.lint.cluster_judge import cluster_judge
from gpuplane.lint.lint_run import read_facts
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.object_findings import rule_findings
from gpuplane.workloads.asked import AskedError
from gpuplane.workloads.workload import Workload, new_workload
from policies.admission import Review, today
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.operation import copied
from tests.charts_py.fixture_types import PlatformWith
from tests.conftest import SAMPLES
from tests.gpuplane.messages import message_of
from tests.gpuplane.workloads.conftest import ask, platform_named
from tests.rows import rows_beside
from upstream.kubeconform import run_kubeconform

each_row = rows_beside(__file__, "disaggregated_sets.yaml")
MODEL = {
    "kind": "llm",
    "weights": "Qwen/Qwen3-8B",
    "parameters": "8B",
    "prefill_replicas": 1,
    "replicas": 2,
}
NAMESPACE = "research-serving"


def _new(cluster: str = "sample-serving", **fields: Any) -> Workload:
    return new_workload(ask(**MODEL | fields), platform_named(cluster))


def _of_kind(workload: Workload, kind: str, name: str = "demo") -> Document:
    named = {(each["kind"], each["metadata"]["name"]): each for each in workload.documents}
    return named[kind, name]


def _roles(workload: Workload) -> dict[str, Any]:
    roles = _of_kind(workload, "DisaggregatedSet")["spec"]["roles"]
    return {role["name"]: role["spec"] for role in roles}


def _template(role: dict[str, Any]) -> dict[str, Any]:
    template: dict[str, Any] = role["leaderWorkerTemplate"]["workerTemplate"]
    return template


def _server(role: dict[str, Any]) -> dict[str, Any]:
    (server,) = _template(role)["spec"]["containers"]
    return dict(server)


def _transfer(server: dict[str, Any]) -> Any:
    option = "--kv-transfer-config="
    (stated,) = (word for word in server["command"] if word.startswith(option))
    return json.loads(stated.removeprefix(option))


@each_row("refused")
def test_what_cannot_be_apart_is_told(
    cluster: str, fields: dict[str, Any], said: list[str]
) -> None:
    assert set(said) <= set(message_of(AskedError, _new, cluster, **fields).splitlines())


@each_row("without_room")
def test_the_rollout_has_to_fit_as_well(fields: dict[str, Any], said: str) -> None:
    assert message_of(AskedError, _new, **fields) == said


@each_row("roles")
def test_a_role_answers_where_requests_come(
    role: str, replicas: int, port: int, transfer: dict[str, str], beside: list[str]
) -> None:
    spec = _roles(_new())[role]
    server, pod = _server(spec), _template(spec)["spec"]
    assert (spec["replicas"], spec["leaderWorkerTemplate"]["size"]) == (replicas, 1)
    assert f"--port={port}" in server["command"]
    assert server["ports"] == [{"name": "metrics", "containerPort": port}]
    assert {server[f"{each}Probe"]["httpGet"]["port"] for each in ("startup", "liveness")} == {
        "metrics"
    }
    assert _transfer(server) == transfer
    assert [each["name"] for each in pod.get("initContainers", ())] == beside
    assert _template(spec)["metadata"]["labels"]["llm-d.ai/role"] == role


def test_both_roles_are_told_alike_of_the_model_and_its_split() -> None:
    own = ("--port=", "--kv-transfer-config=")
    prefill, decode = (
        [word for word in _server(role)["command"] if not word.startswith(own)]
        for role in _roles(_new(gpus=2, replicas=1)).values()
    )
    assert prefill == decode
    assert "--tensor-parallel-size=2" in prefill


def test_a_rollout_starts_one_of_each_role_first() -> None:
    bounds = [
        role["rolloutStrategy"]["rollingUpdateConfiguration"] for role in _roles(_new()).values()
    ]
    assert bounds == [{"maxSurge": 1, "maxUnavailable": 0}] * 2


def test_what_leads_to_it_knows_its_roles() -> None:
    workload, pods = _new(), {"app.kubernetes.io/name": "demo"}
    assert _of_kind(workload, "Service")["spec"] == {
        "selector": {**pods, "llm-d.ai/role": "decode"},
        "ports": [{"name": "http", "port": 80, "targetPort": 8000}],
    }
    assert _of_kind(workload, "InferencePool")["spec"]["selector"] == {"matchLabels": pods}
    (endpoint,) = _of_kind(workload, "PodMonitor")["spec"]["podMetricsEndpoints"]
    assert endpoint == {"port": "metrics", "path": "/metrics", "interval": "15s"}


def test_its_picker_chooses_a_pod_of_each_role() -> None:
    picker = _of_kind(_new(), "Deployment", "demo-picker")
    (container,) = picker["spec"]["template"]["spec"]["containers"]
    option = "--config-text="
    (text,) = (word for word in container["args"] if word.startswith(option))
    config = yaml.safe_load(text.removeprefix(option))
    named = {each["type"] for each in config["plugins"]}
    profiles = {
        each["name"]: {one["pluginRef"] for one in each["plugins"]}
        for each in config["schedulingProfiles"]
    }
    assert [*profiles] == ["prefill", "decode"]
    assert all(plugins < named for plugins in profiles.values())
    assert all(f"{name}-filter" in plugins for name, plugins in profiles.items())


def test_kv_caches_go_by_efa_from_whole_nodes(platform_after: PlatformWith) -> None:
    quota = (
        "research-serving:\n        purpose: inference\n        quota: {gpus: {h100: 8}, cpu: 200",
        "research-serving:\n        purpose: inference\n        quota: {gpus: {h100: 32}, cpu: 800",
    )
    nodes = ("nodes: {min: 2, max: 4}", "nodes: {min: 2, max: 8}")
    platform = platform_after("serving", quota, nodes)
    workload = new_workload(ask(**MODEL | {"gpus": 8, "replicas": 1}), platform)
    for role in _roles(workload).values():
        assert _server(role)["resources"]["limits"]["vpc.amazonaws.com/efa"] == "32"
        assert _transfer(_server(role))["kv_connector_extra_config"] == {"backends": ["LIBFABRIC"]}
    assert [note for note in workload.notes if "over TCP" in note] == []
    assert "its image has to have libfabric, by which NIXL reads KV caches over EFA" in (
        workload.notes
    )


def test_otherwise_it_is_said_what_goes_over_tcp() -> None:
    assert (
        "KV caches go from prefill to decode over TCP, up to 1.1 GiB for a prompt of 8192 tokens: "
        "pods have RDMA only with all GPUs of a node whose network is EFA, InfiniBand or RoCE, and "
        "devices for it; that of pool h100 is efa, and 1 of 8 GPUs are asked for"
    ) in _new().notes


def test_it_is_said_that_its_service_leads_to_decode_alone() -> None:
    assert (
        "`gpuplane new route demo --cluster serving --namespace research-serving --to pool/demo` "
        "leads requests to it: its Service leads to decode alone, which then computes prompts "
        "itself"
    ) in _new().notes


def test_admission_leaves_it_as_it_is_and_lint_finds_nothing(tmp_path: Path) -> None:
    documents = _new().documents
    engine = Engine(policy_settings(platform_named("sample-serving")))
    (facts,) = loaded_clusters(SAMPLES, ["serving"])
    judge = cluster_judge(read_facts(json.loads(json.dumps(asdict(facts)))))
    for document in documents:
        admitted = admit_manifest(engine, copied(document), Review(NAMESPACE, today()))
        assert [str(each) for each in admitted.outcomes] == []
        assert [*rule_findings(judge, document, NAMESPACE, None)] == []
    file = tmp_path / "objects.yaml"
    file.write_text("---\n".join(map(to_yaml, documents)), encoding="utf-8")
    assert run_kubeconform([file], "1.36").failures == ()
