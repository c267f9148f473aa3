"""Servers that Argo Rollouts replaces, a few replicas first."""

import csv
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.serving import Serving
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.lint.cluster_judge import cluster_judge
from gpuplane.lint.lint_run import read_facts
from gpuplane.lint.loaded_clusters import loaded_clusters
from gpuplane.lint.object_findings import rule_findings
from gpuplane.workloads.kinds.llm import LLM
from gpuplane.workloads.kinds.service import SERVICE
from gpuplane.workloads.serving.engine import engines
from gpuplane.workloads.workload import Workload, new_workload
from policies.admission import Review, today
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.operation import copied
from tests.conftest import CLUSTERS
from tests.gpuplane.messages import message_of
from tests.gpuplane.workloads.conftest import ask, asked_of, platform_named
from tests.rows import rows_beside

each_row = rows_beside(__file__, "canaries.yaml")
OF_THE_PLACE = {"spot-fallback", "time-sliced-inference", "without-effect"}
JOB = 'namespace="robotics",job="robotics/demo",rollouts_pod_template_hash='


def _platform(name: str = "onprem", *parts: str) -> Platform:
    platform = platform_named(name)
    serving = Serving.model_validate({key: {} for key in parts or ("keda", "argoRollouts")})
    return replace(platform, cluster=platform.cluster.model_copy(update={"serving": serving}))


def _asked(**fields: Any) -> dict[str, Any]:
    model = {"weights": "Qwen/Qwen3-8B", "parameters": "8B"}
    usual = {"kind": "llm", "team": "robotics", "canary": True}
    return {**usual, **({} if fields.get("kind") == "service" else model), **fields}


def _new(**fields: Any) -> Workload:
    return new_workload(ask(**_asked(**fields)), _platform())


def _of_kind(workload: Workload, kind: str) -> Document:
    (found,) = (each for each in workload.documents if each["kind"] == kind)
    return found


@each_row("steps")
def test_a_canary_is_one_replica_and_then_half_of_them(
    fields: dict[str, Any], weights: list[int], bounds: list[int], said: str
) -> None:
    workload = _new(**fields)
    canary = _of_kind(workload, "Rollout")["spec"]["strategy"]["canary"]
    stated = [step["setWeight"] for step in canary["steps"] if "setWeight" in step]
    assert (stated, [canary["maxSurge"], canary["maxUnavailable"]]) == (weights, bounds)
    assert said in workload.notes


def test_what_measures_it_tells_new_replicas_from_old_ones() -> None:
    workload = _new(replicas=2)
    assert _of_kind(workload, "PodMonitor")["spec"]["podTargetLabels"] == [
        "rollouts-pod-template-hash"
    ]
    errors, first_token = _of_kind(workload, "AnalysisTemplate")["spec"]["metrics"]
    requests = f'{{__name__="vllm:request_success_total",{JOB}"{{{{args.new}}}}"}}[5m]'
    failed = requests.replace(",", ',finished_reason="error",', 1)
    assert errors == {
        "name": "errors",
        "initialDelay": "5m",
        "interval": "1m",
        "count": 5,
        "successCondition": "len(result) == 1 && result[0] <= 0.01",
        "failureCondition": "len(result) == 1 && result[0] > 0.01",
        "failureLimit": 1,
        "inconclusiveLimit": 0,
        "consecutiveErrorLimit": 30,
        "provider": {
            "prometheus": {
                "address": "http://prometheus-operated.monitoring.svc:9090",
                "query": f"(sum(rate({failed})) or vector(0)) / sum(rate({requests}))",
            }
        },
    }
    slowest = "histogram_quantile(0.95, sum by (le) (rate({}[5m])))"
    new, old = (
        slowest.format(
            f'{{__name__="vllm:time_to_first_token_seconds_bucket",{JOB}"{{{{args.{each}}}}}"}}'
        )
        for each in ("new", "old")
    )
    assert first_token["provider"]["prometheus"]["query"] == f"{new} / {old}"


def test_what_shows_no_first_token_is_judged_by_the_new_revision_alone() -> None:
    workload = _new(kind="service", engine="triton", data="models", replicas=2)
    steps = _of_kind(workload, "Rollout")["spec"]["strategy"]["canary"]["steps"]
    new = {"name": "new", "valueFrom": {"podTemplateHashValue": "Latest"}}
    assert steps[1]["analysis"]["args"] == [new]
    assert _of_kind(workload, "AnalysisTemplate")["spec"]["args"] == [{"name": "new"}]


def test_a_step_is_judged_by_both_revisions() -> None:
    steps = _of_kind(_new(replicas=2), "Rollout")["spec"]["strategy"]["canary"]["steps"]
    assert steps[1]["analysis"] == {
        "templates": [{"templateName": "demo"}],
        "args": [
            {"name": "new", "valueFrom": {"podTemplateHashValue": "Latest"}},
            {"name": "old", "valueFrom": {"podTemplateHashValue": "Stable"}},
        ],
    }


def test_what_nothing_measures_waits_for_a_person() -> None:
    workload = _new(kind="service", replicas=2, image="registry.example.com/rank:1")
    steps = _of_kind(workload, "Rollout")["spec"]["strategy"]["canary"]["steps"]
    assert steps == [{"setWeight": 50}, {"pause": {}}]
    assert "AnalysisTemplate" not in [each["kind"] for each in workload.documents]
    assert [note for note in workload.notes if note.startswith("nothing measures its new replicas")]


def test_keda_scales_the_rollout() -> None:
    workload = _new(replicas=2, max_replicas=3)
    target = _of_kind(workload, "ScaledObject")["spec"]["scaleTargetRef"]
    api_version = "argoproj.io/v1alpha1"
    assert target == {"apiVersion": api_version, "kind": "Rollout", "name": "demo"}
    assert "replicas" not in _of_kind(workload, "Rollout")["spec"]


def test_an_image_of_weights_says_when_it_is_pulled_since_nothing_fills_it_in() -> None:
    image = "registry.example.com/qwen3-8b:1.0"
    rollout = _of_kind(_new(weights=f"oci://{image}/models", replicas=2), "Rollout")
    mounted = {"name": "weights", "image": {"reference": image, "pullPolicy": "IfNotPresent"}}
    assert mounted in rollout["spec"]["template"]["spec"]["volumes"]


@each_row("refused")
def test_what_cannot_be_a_canary_is_told(fields: dict[str, Any], said: str) -> None:
    assert message_of(RenderError, new_workload, ask(**_asked(**fields)), _platform()) == said


def test_a_cluster_without_argo_rollouts_is_told_how_to_have_it() -> None:
    asked = ask(**_asked(replicas=2))
    assert message_of(RenderError, new_workload, asked, _platform("onprem", "keda")) == (
        "--canary: the file of onprem does not install Argo Rollouts; allowed: with "
        "serving.argoRollouts"
    )


def _made(platform: Platform) -> Iterator[Document]:
    for kind in (LLM, SERVICE):
        for asked in asked_of(kind.name, platform):
            two = replace(asked, canary=True, replicas=2)
            with suppress(RenderError):  # It has no room for two everywhere.
                yield from new_workload(two, platform).documents


CLUSTERS_WITH_QUEUES = ["training", "inference", "mixed", "onprem"]


@pytest.mark.parametrize("cluster", CLUSTERS_WITH_QUEUES)
def test_admission_leaves_a_canary_as_it_is(cluster: str) -> None:
    platform = _platform(cluster)
    engine = Engine(policy_settings(platform))
    for document in _made(platform):
        review = Review(document["metadata"]["namespace"], today())
        admitted = admit_manifest(engine, copied(document), review)
        said = [str(each) for each in admitted.outcomes]
        assert [each for each in said if "time-sliced-inference" not in each] == []


@pytest.mark.parametrize("cluster", CLUSTERS_WITH_QUEUES)
def test_lint_finds_nothing_in_a_canary(cluster: str) -> None:
    (facts,) = loaded_clusters(CLUSTERS, [cluster])
    judge = cluster_judge(read_facts(json.loads(json.dumps(asdict(facts)))))
    found = [
        (each.rule, each.message)
        for document in _made(_platform(cluster))
        for each in rule_findings(judge, document, document["metadata"]["namespace"], None)
    ]
    assert [each for each in found if each[0] not in OF_THE_PLACE] == []


@pytest.mark.parametrize("name", [name for name, each in engines().items() if each.answers])
def test_queries_name_series_as_prometheus_stores_them(name: str, mirror: Path) -> None:
    file = mirror / "data" / "engine-metrics.csv"
    if not file.is_file():
        pytest.skip("the mirror has no engine-metrics.csv")
    with file.open(encoding="utf-8", newline="") as opened:
        rows = [row for row in csv.DictReader(opened) if row["engine"] == name]
    answers = engines()[name].answers
    assert answers is not None
    for series in (answers.failed, answers.every, answers.first_token):
        stated = dict(re.findall(r'(\w+)[=~!]+"(.*?)"', series))
        for column in ("stored_prometheus_3", "stored_escaping_underscores"):
            pattern = stated.get("__name__", "").removesuffix("_bucket")
            found = [row for row in rows if re.fullmatch(pattern, row[column])]
            assert bool(found) is bool(series)
            labels = {*";".join(row["labels"] for row in found).split(";")}
            assert {*stated} - {"__name__"} <= labels
