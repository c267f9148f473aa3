"""Servers: what runs them, how they start and end, and what is refused."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from charts_py.cluster_file.fault import RenderError
from charts_py.objects.document import Document
from charts_py.platform.policy_settings import policy_settings
from gpuplane.lint.cluster_judge import cluster_judge
from gpuplane.lint.lint_run import read_facts
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.object_findings import rule_findings
from gpuplane.workloads.kinds.llm import LLM
from gpuplane.workloads.kinds.service import SERVICE
from gpuplane.workloads.workload import Workload, new_workload
from policies.admission import Review, today
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.operation import copied
from policies.workloads.job_label import LEADER_WORKER_SET
from tests.charts_py.fixture_types import PlatformWith
from tests.conftest import CLUSTERS
from tests.gpuplane.messages import message_of
from tests.gpuplane.workloads.conftest import ask, asked_of, platform_named
from tests.rows import rows_beside

each_row = rows_beside(__file__, "servers.yaml")

MODEL = {"weights": "Qwen/Qwen3-32B", "parameters": "32B"}
OF_THE_PLACE = {"spot-fallback", "time-sliced-inference", "without-effect"}
"""What is found of a pool that somebody named, and of a cluster without LeaderWorkerSet."""


def _new(cluster: str = "training", **fields: Any) -> Workload:
    return new_workload(ask(**{"kind": "llm", **MODEL, **fields}), platform_named(cluster))


def _of_kind(workload: Workload, kind: str) -> Document:
    (found,) = (each for each in workload.documents if each["kind"] == kind)
    return found


def _pod(workload: Workload) -> Document:
    pod: Document = _of_kind(workload, "Deployment")["spec"]["template"]["spec"]
    return pod


def _server(workload: Workload) -> Document:
    (server,) = _pod(workload)["containers"]
    return dict(server)


def _options(command: list[str]) -> list[str]:
    plain = ("--host", "--port", "--model-path", "--enable-metrics")
    return [word for word in command if word.startswith("--") and not word.startswith(plain)]


@each_row("options")
def test_the_command_says_how_the_model_is_split(fields: dict[str, Any], stated: list[str]) -> None:
    assert _options(_server(_new(**fields))["command"]) == stated


def _refusal(cluster: str = "training", **fields: Any) -> str:
    model = {} if fields.get("kind") == "service" else MODEL
    asked = ask(**{"kind": "llm", **model, **fields})
    return message_of(RenderError, new_workload, asked, platform_named(cluster))


@each_row("refused")
def test_what_cannot_be_served_is_told(fields: dict[str, Any], said: str) -> None:
    assert said in _refusal(**fields)


@each_row("elsewhere")
def test_what_a_pool_cannot_serve_is_told(cluster: str, fields: dict[str, Any], said: str) -> None:
    assert said in _refusal(cluster, **fields)


def test_a_model_of_several_nodes_has_a_leader_that_answers() -> None:
    workload = _new(parameters="671B", precision="fp8", kv_bytes_per_token=70_000, replicas=2)
    spec = _of_kind(workload, "LeaderWorkerSet")["spec"]
    group = spec["leaderWorkerTemplate"]
    leader, worker = (
        group[name]["spec"]["containers"][0] for name in ("leaderTemplate", "workerTemplate")
    )
    assert (spec["replicas"], group["size"]) == (2, 2)
    assert leader["command"][-5:] == [
        "--pipeline-parallel-size=2",
        "--shutdown-timeout=45",
        "--nnodes=2",
        "--node-rank=$(LWS_WORKER_INDEX)",
        "--master-addr=$(LWS_LEADER_ADDRESS)",
    ]
    assert worker["command"] == [*leader["command"], "--headless"]
    assert "readinessProbe" in leader
    assert "readinessProbe" not in worker
    assert worker["lifecycle"]["preStop"]["sleep"]["seconds"] == 60


def test_the_service_of_several_nodes_leads_to_leaders_by_a_name_of_its_own() -> None:
    workload = _new(nodes=2)
    service, leaders = _of_kind(workload, "Service"), {LEADER_WORKER_SET.key: "demo"}
    assert service["metadata"]["name"] == "demo-leader"
    assert service["spec"]["selector"] == {
        **leaders,
        "leaderworkerset.sigs.k8s.io/worker-index": "0",
    }
    installs = "the file of training does not install LeaderWorkerSet: switch on training.leader"
    assert [note for note in workload.notes if note.startswith(installs)]


@pytest.mark.parametrize(
    ("cluster", "fields", "seconds"),
    [
        ("training", {}, (15, 45, 75)),
        ("training", {"pool": "h100-spot"}, (15, 45, 75)),
        ("training", {"pool": "h100-spot", "drain": 90}, (15, 90, 120)),
        ("training", {"drain": 600}, (15, 600, 630)),
        ("inference", {"team": "search", "pool": "l4-batch"}, (3, 9, 15)),
    ],
)
def test_a_server_finishes_what_it_has_before_it_is_killed(
    cluster: str, fields: dict[str, Any], seconds: tuple[int, int, int]
) -> None:
    workload = _new(cluster, **fields)
    server = _server(workload)
    hook = server["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert f"--shutdown-timeout={seconds[1]}" in server["command"]
    assert (hook, _pod(workload)["terminationGracePeriodSeconds"]) == (seconds[0], seconds[2])


def test_a_server_may_load_for_as_long_as_its_weights_take() -> None:
    workload = _new()
    server = _server(workload)
    probe = server["startupProbe"]
    assert probe["periodSeconds"] * probe["failureThreshold"] == 1120
    assert {"name": "VLLM_ENGINE_READY_TIMEOUT_S", "value": "1112"} in server["env"]
    assert _of_kind(workload, "Deployment")["spec"]["progressDeadlineSeconds"] == 1712


@pytest.mark.parametrize(
    ("fields", "surge"),
    [
        ({"checkpoint": "none"}, 1),
        ({"checkpoint": "100Gi"}, 0),
        ({"checkpoint": "100Gi", "replicas": 2}, 1),
        ({"replicas": 12, "gpus": 8}, 0),
    ],
)
def test_a_rollout_starts_a_new_replica_first_where_there_is_room(
    fields: dict[str, Any], surge: int
) -> None:
    spec = _of_kind(_new(**fields), "Deployment")["spec"]
    rolling = {"maxSurge": surge, "maxUnavailable": 1 - surge}
    assert spec["strategy"] == {"rollingUpdate": rolling}


def test_weights_that_are_quantized_while_they_load_are_loaded_whole() -> None:
    quantized = _new(parameters="70B", precision="fp8", program=("--quantization=fp8",))
    probe = _server(quantized)["startupProbe"]
    assert probe["periodSeconds"] * probe["failureThreshold"] == 1720


def test_several_replicas_are_spread_and_go_one_after_another() -> None:
    workload = _new(replicas=2)
    (spread,) = _pod(workload)["topologySpreadConstraints"]
    assert spread["topologyKey"] == "kubernetes.io/hostname"
    budget = _of_kind(workload, "PodDisruptionBudget")["spec"]
    assert (budget["maxUnavailable"], budget["selector"]) == (1, spread["labelSelector"])
    assert "PodDisruptionBudget" not in [each["kind"] for each in _new().documents]


def test_a_cache_has_room_for_the_weights_unless_they_are_mounted() -> None:
    claims = [
        _of_kind(_new(**fields), "PersistentVolumeClaim")["spec"]["resources"]["requests"]
        for fields in (
            {},
            {"weights": "/data/qwen", "data": "models"},
            {"precision": "fp8"},
            {"precision": "fp8", "program": ("--quantization=fp8",)},
        )
    ]
    assert [each["storage"] for each in claims] == ["80Gi", "20Gi", "50Gi", "80Gi"]


@pytest.mark.parametrize(
    ("fields", "size"),
    [
        ({}, "80Gi"),
        ({"weights": "/data/qwen", "data": "models"}, "20Gi"),
        ({"precision": "fp8"}, "50Gi"),
    ],
)
def test_without_a_volume_it_asks_for_the_disk_that_weights_take(
    fields: dict[str, Any], size: str
) -> None:
    workload = _new(checkpoint="none", **fields)
    resources = _server(workload)["resources"]
    found = [resources[each]["ephemeral-storage"] for each in ("requests", "limits")]
    assert found == [size, size]
    assert {"name": "cache", "emptyDir": {"sizeLimit": size}} in _pod(workload)["volumes"]


def test_disks_are_of_the_quota_of_the_namespace(platform_after: PlatformWith) -> None:
    quota = ("storage: 20Ti", "storage: 20Ti\n          ephemeralStorage: 100Gi")
    platform = platform_after("training", quota)
    model = {"kind": "llm", "weights": "a/b", "parameters": "8B", "namespace": "pretraining"}
    asked = ask(**model, checkpoint="none", replicas=3)
    assert message_of(RenderError, new_workload, asked, platform) == (
        "--cache: 3 pods with 35Gi on the disks of their nodes are more than the quota of "
        "pretraining, which is 100Gi; allowed: the size of a volume, or fewer --replicas"
    )
    workload = new_workload(ask(**model, checkpoint="none", replicas=2), platform)
    assert _of_kind(workload, "Deployment")["spec"]["strategy"]["rollingUpdate"]["maxSurge"] == 0


def test_a_gated_model_is_downloaded_with_a_token() -> None:
    gated = {"weights": "meta-llama/Llama-3.1-8B-Instruct", "parameters": "8B"}
    said = (
        "meta-llama/Llama-3.1-8B-Instruct is gated: --token-secret names the Secret with a token "
        "that may download it"
    )
    assert said in _new(**gated).notes
    for named, key in (("hub", "token"), ("hub:read", "read")):
        workload = _new(**gated, token_secret=named)
        reference = {"secretKeyRef": {"name": "hub", "key": key}}
        assert {"name": "HF_TOKEN", "valueFrom": reference} in _server(workload)["env"]
        assert said not in workload.notes


def test_metrics_are_collected_where_the_operator_is(platform_after: PlatformWith) -> None:
    labels = "addons: {monitoring: {labels: {release: stack}}}\npools:\n"
    platform = platform_after("training", ("pools:\n", labels))
    workload = new_workload(ask(kind="llm", **MODEL, namespace="pretraining"), platform)
    monitor = _of_kind(workload, "PodMonitor")
    (endpoint,) = monitor["spec"]["podMetricsEndpoints"]
    assert endpoint == {"port": "http", "path": "/metrics", "interval": "15s"}
    assert monitor["metadata"]["labels"]["release"] == "stack"


def test_on_google_metrics_are_collected_by_a_pod_monitoring() -> None:
    monitoring = _of_kind(_new("inference", team="search", pool="l4-batch"), "PodMonitoring")
    assert monitoring["apiVersion"] == "monitoring.googleapis.com/v1"
    assert monitoring["spec"] == {
        "selector": {"matchLabels": {"app.kubernetes.io/name": monitoring["metadata"]["name"]}},
        "endpoints": [{"port": "http", "path": "/metrics", "interval": "30s"}],
    }


def test_options_of_the_engine_come_last() -> None:
    assert _server(_new(program=("--enable-lora",)))["command"][-1] == "--enable-lora"


@each_row("notes")
def test_what_it_needs_besides_is_said(cluster: str, fields: dict[str, Any], said: str) -> None:
    assert said in _new(cluster, **fields).notes


def test_an_image_of_weights_is_mounted_by_the_node() -> None:
    workload = _new(weights="oci://registry.example.com/qwen3-32b:1.0/models")
    server = _server(workload)
    assert server["command"][:3] == ["vllm", "serve", "/weights/models"]
    mount = {"name": "weights", "mountPath": "/weights", "readOnly": True}
    assert mount in server["volumeMounts"]
    image = {"reference": "registry.example.com/qwen3-32b:1.0"}
    assert {"name": "weights", "image": image} in _pod(workload)["volumes"]
    claim = _of_kind(workload, "PersistentVolumeClaim")["spec"]["resources"]["requests"]
    assert claim == {"storage": "20Gi"}


def test_what_streams_weights_buffers_few_bytes_of_them() -> None:
    weights = "https://account.blob.core.windows.net/models/qwen3-32b"
    server = _server(_new(weights=weights))
    env = {each["name"]: each.get("value") for each in server["env"]}
    assert server["command"][2] == "az://models/qwen3-32b"
    assert env["RUNAI_STREAMER_MEMORY_LIMIT"] == str(4 * 2**30)
    assert env["AZURE_STORAGE_ACCOUNT_NAME"] == "account"


@each_row("unsaid")
def test_nothing_is_said_of_what_is_there(cluster: str, fields: dict[str, Any], said: str) -> None:
    assert [note for note in _new(cluster, **fields).notes if said in note] == []


@each_row("weights")
def test_it_is_said_which_weights_a_repository_must_hold(
    fields: dict[str, Any], said: list[str]
) -> None:
    notes = _new(**fields).notes
    assert [note for note in notes if "must hold" in note or "quantizes" in note] == said


def test_options_that_gpuplane_does_not_state_are_the_engines_own() -> None:
    program = ("--gpu-memory-utilization=0.95", "--max-num-batched-tokens=4096")
    assert _server(_new(program=program))["command"][-2:] == [*program]


@pytest.mark.parametrize(
    ("heads", "gpus", "count"), [(None, 8, 1), (1, 8, 0), (8, 4, 0), (None, 1, 0)]
)
def test_a_cache_whose_heads_are_not_known_is_whole_on_each_gpu(
    heads: int | None, gpus: int, count: int
) -> None:
    fields: dict[str, Any] = {"kv_bytes_per_token": 70_000, "kv_heads": heads, "gpus": gpus}
    notes = _new(weights="a/b", parameters="8B", **fields).notes
    said = "each GPU is taken to hold the whole KV cache of its layers, since the KV heads of a/b "
    assert sum(note.startswith(said) for note in notes) == count


def test_a_cache_that_is_not_known_is_not_judged() -> None:
    said = (
        "the KV cache of a/b is not known, so that only its weights are known to fit: whether 16 "
        "requests of 8192 tokens do is judged with --kv-bytes-per-token"
    )
    assert said in _new(weights="a/b", parameters="8B").notes


@pytest.mark.parametrize(
    ("team", "pool", "gpus", "count"),
    [
        ("robotics", "l40s", 1, 0),
        ("robotics", "l40s", 4, 1),
        ("simulation", "h200", 4, 0),
        ("simulation", "mi300x", 4, 0),
    ],
)
def test_it_is_said_where_no_nvlink_joins_the_gpus_of_a_pod(
    team: str, pool: str, gpus: int, count: int
) -> None:
    notes = _new("onprem", team=team, pool=pool, gpus=gpus, context=1024, precision="int4").notes
    assert sum(note.startswith(f"GPUs of pool {pool} have no NVLink, ") for note in notes) == count


def test_of_a_spot_pool_a_server_is_told_nothing_of_checkpoints() -> None:
    notes = _new("inference", team="search", pool="l4-batch").notes
    of_spot = "pool l4-batch is spot: all replicas may go at once, and each has 15 seconds then"
    assert of_spot in notes
    assert [note for note in notes if "checkpoint" in note] == []


@pytest.mark.parametrize(
    ("cluster", "fields"),
    [
        ("training", {}),
        ("onprem", {"team": "simulation"}),
        ("sample-operators", {"team": "research"}),
        ("sample-nvl72", {"team": "simulation"}),
        ("sample-kai", {"team": "vision", "namespace": "vision-training"}),
        ("sample-volcano", {"team": "vision"}),
    ],
)
def test_admission_leaves_a_server_of_several_nodes_as_it_is(
    cluster: str, fields: dict[str, Any]
) -> None:
    platform = platform_named(cluster)
    fields = {**fields, **MODEL, "nodes": 2, "replicas": 1}
    documents = new_workload(ask(kind="llm", **fields), platform).documents
    engine, namespace = Engine(policy_settings(platform)), documents[-1]["metadata"]["namespace"]
    assert documents[-1]["kind"] == "LeaderWorkerSet"
    for document in documents:
        admitted = admit_manifest(engine, copied(document), Review(namespace, today()))
        assert [str(each) for each in admitted.outcomes] == []


def test_triton_has_ports_and_probes_of_its_own() -> None:
    asked = ask(kind="service", engine="triton", data="models", image=None)
    workload = new_workload(asked, platform_named("training"))
    server = _server(workload)
    stated = ["--model-repository=/data", "--exit-timeout-secs=45"]
    assert server["command"] == ["tritonserver", *stated]
    assert {each["name"]: each["containerPort"] for each in server["ports"]} == {
        "http": 8000,
        "grpc": 8001,
        "metrics": 8002,
    }
    assert server["readinessProbe"]["httpGet"]["path"] == "/v2/health/ready"
    served = [
        (each["name"], each["port"]) for each in _of_kind(workload, "Service")["spec"]["ports"]
    ]
    assert served == [("http", 80), ("grpc", 8001)]


def test_a_server_that_is_not_known_is_probed_at_its_port() -> None:
    asked = ask(kind="service", port=9000, program=("--model", "rank"))
    server = _server(new_workload(asked, platform_named("training")))
    assert server["args"] == ["--model", "rank"]
    assert server["ports"] == [{"name": "http", "containerPort": 9000}]
    limits = {"periodSeconds": 10, "timeoutSeconds": 10}
    assert server["readinessProbe"] == {"tcpSocket": {"port": "http"}, **limits}


def _made(cluster: str) -> Iterator[tuple[str, Document]]:
    platform = platform_named(cluster)
    for kind in (LLM, SERVICE):
        for asked in asked_of(kind.name, platform):
            for document in new_workload(asked, platform).documents:
                yield str(asked.namespace), document
    nodes = {"training": {}, "onprem": {"team": "simulation"}}.get(cluster)
    if nodes is not None:
        for document in _new(cluster, **nodes, nodes=2, replicas=2).documents:
            yield document["metadata"]["namespace"], document


@pytest.mark.parametrize("cluster", ["training", "inference", "mixed", "onprem"])
def test_lint_finds_nothing_in_a_server(cluster: str) -> None:
    (facts,) = loaded_clusters(CLUSTERS, [cluster])
    judge = cluster_judge(read_facts(json.loads(json.dumps(asdict(facts)))))
    found = [
        (each.rule, each.message)
        for namespace, document in _made(cluster)
        for each in rule_findings(judge, document, namespace, None)
    ]
    assert [each for each in found if each[0] not in OF_THE_PLACE] == []
