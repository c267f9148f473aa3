import datetime as dt
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from gpuplane.admission.cluster_rules import ClusterRules
from gpuplane.lint.cluster_judge import ClusterJudge, cluster_judge
from gpuplane.lint.finding import FileFindings, ObjectCounts, from_json, to_json
from gpuplane.lint.judged_file import Judgement, judge_file
from gpuplane.lint.lint_run import ClusterFacts
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.loaded_clusters import loaded_clusters
from policies.admission import Review
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.operation import apply
from policies.rule_name import RuleName
from policies.settings import Settings, UnequalGpus

CLUSTERS = Path(__file__).parents[3] / "clusters"
REVIEW = Review("default", dt.date(2026, 11, 26))
POD = """\
apiVersion: v1
kind: Pod
metadata: {{name: a, namespace: {namespace}}}
spec:
  containers:
    - name: train
      image: {image}
      resources: {{limits: {{nvidia.com/gpu: {gpus}, memory: 8Gi}}}}
"""
IMAGE = "registry.example.com/train:1.0"
LIST = f"""\
apiVersion: v1
kind: List
items:
  - apiVersion: batch/v1
    kind: Job
    metadata: {{name: a, namespace: research-training}}
    spec:
      template: {{METADATA spec: {{containers: [
        {{name: a, image: "{IMAGE}", resources: {{limits: {{nvidia.com/gpu: 1}}}}}}]}}}}
"""


@pytest.fixture(scope="module")
def judges() -> list[ClusterJudge]:
    return [*map(cluster_judge, loaded_clusters(CLUSTERS, ()))]


@pytest.fixture
def judgement(judges: list[ClusterJudge]) -> Judgement:
    return Judgement(judges, REVIEW, None)


def _pod(namespace: str = "research-training", image: str = IMAGE, gpus: object = 1) -> str:
    return POD.format(namespace=namespace, image=image, gpus=gpus)


def _judged(text: str, judgement: Judgement, *, is_named: bool = True) -> FileFindings:
    return judge_file(LintSource("pod.yaml", text.encode(), is_named), judgement)


def _told(text: str, judgement: Judgement) -> list[tuple[str, str, str]]:
    found = _judged(text, judgement).findings
    return [(str(each.start), each.rule, each.severity.value) for each in found]


def test_what_admission_adds_is_a_note_with_its_fix(judgement: Judgement) -> None:
    found = _judged(_pod(), judgement)
    priority = next(each for each in found.findings if each.rule == "priority-class")
    assert (str(priority.start), str(priority.end)) == ("pod.yaml:4:1", "pod.yaml:4:5")
    assert (priority.severity.value, priority.clusters) == ("note", ("training",))
    assert [each.to_json() for each in priority.fix] == [
        {"op": "add", "path": "/spec/priorityClassName", "value": "training"}
    ]
    assert found.counts == ObjectCounts(1, {"Pod": 1})


def test_what_admission_denies_is_an_error(judgement: Judgement) -> None:
    assert ("pod.yaml:7:7", "image-registry", "error") in _told(
        _pod(image="docker.io/library/a:1.0"), judgement
    )


def test_what_the_api_server_refuses_in_a_template_is_an_error_that_a_fix_mends() -> None:
    engine = Engine(Settings("training"), ())
    judge = ClusterJudge(ClusterFacts("training", "1.36"), ClusterRules(engine))
    judgement = Judgement([judge], REVIEW, None)
    text = LIST.replace("METADATA", "").replace("limits:", "requests:")
    found = [one for one in _judged(text, judgement).findings if one.rule == "container-resources"]
    document = yaml.safe_load(text)
    apply(document, [each for one in found for each in one.fix])
    told = _told(yaml.safe_dump(document), judgement)
    assert {one.severity for one in found} == {"error"}
    assert not [one for one in told if one[1] == "container-resources"]


@pytest.mark.parametrize("image", ["imge: a", "image:", 'image: ""', "foo: a"])
def test_a_typo_of_an_image_or_an_empty_one_makes_no_patch(
    judgement: Judgement, image: str
) -> None:
    found = _judged(_pod().replace(f"image: {IMAGE}", image), judgement)
    errors = [each.rule for each in found.findings if each.severity.value == "error"]
    assert (found.counts.patches, errors.count("invalid-fields")) == (0, 1)


def test_an_object_without_an_image_is_counted_and_told_where_no_kustomization_can_name_it(
    judgement: Judgement,
) -> None:
    content = _pod().replace(f"      image: {IMAGE}\n", "").encode()
    in_file, piped = (
        judge_file(LintSource("pod.yaml", content, is_file=is_file), judgement)
        for is_file in (True, False)
    )
    assert (in_file.counts.patches, piped.counts.patches) == (1, 1)
    assert from_json(to_json(piped), "pod.yaml") == piped
    (told,) = (each.full_message for each in piped.findings if each not in in_file.findings)
    assert told == (
        "Pod a: spec.containers[0]: without an image, so taken for a patch of Kustomize and not "
        "judged by what it lacks; allowed: an image, or gpuplane lint DIR with its base."
    )


def test_a_value_that_admission_replaces_is_a_warning() -> None:
    engine = Engine(Settings("training", unequal_gpus=UnequalGpus.USE_LIMITS))
    judge = ClusterJudge(ClusterFacts("training", "1.36"), ClusterRules(engine))
    text = _pod().replace("{limits:", "{requests: {nvidia.com/gpu: 2}, limits:")
    told = _told(text, Judgement([judge], REVIEW, None))
    assert ("pod.yaml:8:30", "gpu-requests-equal-limits", "warning") in told


def test_without_a_known_namespace_every_cluster_judges_and_the_same_is_told_once(
    judgement: Judgement,
) -> None:
    found = _judged(_pod("nobody", image="docker.io/a:1.0"), judgement).findings
    judging = sorted(each.clusters for each in found if each.rule == "image-registry")
    # That of onprem allows one registry more, and says so.
    assert judging == [("inference", "mixed", "training"), ("onprem",)]


@pytest.mark.parametrize(
    ("stated", "asked"), [("recomendations", None), ("nobody", "recomendations")]
)
def test_the_cluster_of_the_nearest_namespace_judges_one_that_no_team_has(
    stated: str, asked: str | None, judges: list[ClusterJudge]
) -> None:
    found = _judged(_pod(stated), Judgement(judges, REVIEW, asked)).findings
    unknown, *others = sorted(found, key=lambda each: each.rule != "unknown-namespace")
    assert (unknown.rule, {each.clusters for each in others}) == (
        "unknown-namespace",
        {("training",)},
    )


def test_the_namespace_that_is_asked_for_takes_the_place_of_the_objects(
    judges: list[ClusterJudge],
) -> None:
    found = _judged(_pod("nobody"), Judgement(judges, REVIEW, "research-training")).findings
    assert {each.clusters for each in found} == {("training",)}


def test_an_object_that_no_rule_reads_passes_and_is_counted(judgement: Judgement) -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n"
    assert _judged(text, judgement) == FileFindings((), ObjectCounts(1, unjudged={"ConfigMap": 1}))


def test_the_fixes_of_an_object_are_what_admission_does(judges: list[ClusterJudge]) -> None:
    """Apart from the annotation that names them, and what the namespace refuses."""
    (training,) = [each for each in judges if each.name == "training"]
    for metadata in ("", "metadata: {labels: {a: b}}, "):
        text = LIST.replace("METADATA", metadata)
        found = _judged(text, Judgement([training], REVIEW, None)).findings
        document, admitted = yaml.safe_load(text), yaml.safe_load(text)
        fixed = [finding for finding in found if finding.rule != RuleName.POD_SECURITY]
        apply(document, [each for finding in fixed for each in finding.fix])
        admit_manifest(training.rules.engine, admitted, REVIEW)
        template = admitted["items"][0]["spec"]["template"]
        template["metadata"].pop("annotations")
        assert document == admitted


def test_a_placeholder_is_named_and_nothing_else_is_said_of_it(judgement: Judgement) -> None:
    found = _judged(_pod(gpus="$GPU_PER_NODE"), judgement)
    at_limit = [each for each in found.findings if each.pointer.endswith("nvidia.com~1gpu")]
    assert [(each.rule, each.message) for each in at_limit] == [
        ("unfilled-placeholder", "The value of nvidia.com/gpu is the placeholder $GPU_PER_NODE.")
    ]
    assert found.counts.gpu_workloads == {"Pod": 1}


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("privileged", "$P", "privileged"),
        ("capabilities", "{add: [$P], drop: [ALL]}", "add[0]"),
        ("capabilities", "{drop: [$P]}", "drop[0]"),
    ],
)
def test_a_placeholder_of_any_type_is_named_once(
    field: str, value: str, named: str, judgement: Judgement
) -> None:
    text = f"{_pod()}      securityContext: {{allowPrivilegeEscalation: false, {field}: {value}}}\n"
    found = [each for each in _judged(text, judgement).findings if f"/{field}" in each.pointer]
    assert [each.message for each in found] == [f"The value of {named} is the placeholder $P."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: [\n", [("pod.yaml:1:4", "unreadable-file", "error")]),
        ("kind: Pod\n", [("pod.yaml:1:1", "malformed-manifest", "error")]),
        (f"{_pod()}---\na: {{{{ .Values.a }}}}\n", [("pod.yaml:10:1", "template", "warning")]),
        (f"{_pod()}{{% if a %}}\n", [("pod.yaml:9:1", "template", "warning")]),
        (
            "apiVersion: v1\nkind: Pod\nmetadata: ${METADATA}\nspec: {containers: []}\n",
            [("pod.yaml:3:1", "unfilled-placeholder", "warning")],
        ),
        (
            "apiVersion: v1\nkind: Pod\nspec: {containers: 1}\n",
            [("pod.yaml:3:8", "unread-part", "error")],
        ),
    ],
)
def test_what_cannot_be_read_is_one_finding(
    text: str, told: list[tuple[str, str, str]], judgement: Judgement
) -> None:
    assert _told(text, judgement) == told


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v2\nname: a\nannotations: {a: 'kind: A'}\n",
        "kind: Deployment\nenv: [{valueFrom: {fieldRef: {apiVersion: v1}}}]\n",
        "# apiVersion and kind\nmetadata: {name: a}\n",
        "# kind\nAWSTemplateFormatVersion: 1\nCode: !Sub apiVersion\n",
    ],
    ids=["Chart.yaml", "values of a chart", "metadata", "a template of CloudFormation"],
)
def test_a_file_of_a_folder_that_holds_something_else_is_passed_over(
    text: str, judgement: Judgement
) -> None:
    assert _judged(text, judgement, is_named=False) == FileFindings(())


@pytest.mark.parametrize(
    ("text", "missing"),
    [("kind: Pod\nmetadata: {}\n", "ApiVersion"), ("apiVersion: v1\nmetadata: {}\n", "Kind")],
)
def test_half_an_object_of_a_folder_is_a_finding(
    text: str, missing: str, judgement: Judgement
) -> None:
    found = _judged(text, judgement, is_named=False)
    assert [each.message for each in found.findings] == [f"{missing}: missing."]


def test_an_object_of_a_folder_needs_no_metadata(judgement: Judgement) -> None:
    found = _judged("apiVersion: v1\nkind: List\n", judgement, is_named=False)
    assert found.counts.objects == 1


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("apiVersion: apps/v1\nkind: Deployment\nstatus: {replicas: 1}\n", "spec.template"),
        ("apiVersion: v1\nkind: Pod\nspec: {nodeSelector: {a: b}}\n", "spec.containers"),
    ],
    ids=["an assertion of a test", "a template of Spark"],
)
def test_what_states_no_pods_is_wrong_only_where_its_file_is_named(
    text: str, missing: str, judgement: Judgement
) -> None:
    (named,) = _judged(text, judgement).findings
    assert (named.rule, named.message.partition(";")[0]) == ("unread-part", f"{missing}: missing")
    assert _judged(text, judgement, is_named=False).findings == ()


def test_a_value_of_another_type_is_told_as_that_alone(judgement: Judgement) -> None:
    text = f"{_pod()}  nodeSelector: {{nvidia.com/gpu.present: true}}\n"
    found = _judged(text, judgement).findings
    assert [each.rule for each in found if "nodeSelector" in each.pointer] == ["unread-part"]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        (
            "a.yaml",
            _pod().encode("utf-16"),
            "1:1: The file is UTF-16; allowed: the file saved as UTF-8.",
        ),
        ("a.json", b'{"kind": "Pod",\n "a" 1}', "2:6: Invalid JSON: Expecting ':' delimiter."),
        ("a.json", b'{"apiVersion": "v1", "kind": tru}', "1:30: Invalid JSON: Expecting value."),
        (
            "a.json",
            b'[{"kind": "Pod"}]',
            "1:1: Not an object; allowed: a mapping with apiVersion and kind.",
        ),
    ],
)
def test_a_file_in_another_form_is_told_as_that(
    name: str, content: bytes, told: str, judgement: Judgement
) -> None:
    (found,) = judge_file(LintSource(name, content), judgement).findings
    assert f"{found.start}: {found.message}" == f"{name}:{told}"


@pytest.mark.parametrize("gpus", [-1, "0.5"])
def test_a_number_of_gpus_that_is_none_has_no_share_and_no_quota(
    gpus: object, judgement: Judgement
) -> None:
    found = {rule for _, rule, _ in _told(_pod(gpus=gpus), judgement)}
    assert found & {"gpu-count", "gpu-share", "workload-quota"} == {"gpu-count"}


SERVED = """\
apiVersion: v1
kind: Service
metadata: {{name: a}}
spec: {{selector: {{app: {app}}}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: a, namespace: research-training}}
spec:
  selector: {{matchLabels: {{app: llm}}}}
  template:
    metadata: {{labels: {{app: llm, team: a}}}}
    spec: {{containers: [{{name: a, image: i, resources: {{limits: {{nvidia.com/gpu: 1}}}}}}]}}
"""


@pytest.mark.parametrize(("app", "is_found"), [("llm", True), ("web", False)])
def test_pods_that_a_service_of_the_file_selects_answer_requests(
    app: str, is_found: bool, judgement: Judgement
) -> None:
    found = [rule for _, rule, _ in _told(SERVED.format(app=app), judgement)]
    assert ("readiness-probe" in found) == is_found


def test_what_not_all_clusters_would_fix_alike_is_not_agreed(judgement: Judgement) -> None:
    found = _judged(_pod("nowhere"), judgement).findings
    agreed = {each.rule: each.is_writable for each in found if each.fix}
    assert agreed == {"tolerations": True, "shared-memory": False, "runtime-class": False}


def test_a_document_that_is_wrong_does_not_keep_others_from_being_judged(
    judgement: Judgement,
) -> None:
    rules = [rule for _, rule, _ in _told(f"kind: Pod\n---\n{_pod()}", judgement)]
    assert rules[0] == "malformed-manifest"
    assert "priority-class" in rules


@pytest.mark.parametrize(
    "text",
    [
        "replicas: 1\n",
        "a: [\n",
        "{{- if .Values.a }}\n",
        "# apiVersion and kind\n- 1\n",
        "# apiVersion and kind\na: 1\n---\nb: 2\n",
    ],
)
def test_what_is_found_in_a_folder_may_be_for_something_else(
    text: str, judgement: Judgement
) -> None:
    assert _judged(text, judgement, is_named=False) == FileFindings(())
    assert _judged(text, judgement).findings != ()


def test_a_cache_keeps_all_of_what_is_found(judgement: Judgement) -> None:
    found = _judged(_pod(), judgement)
    assert from_json(to_json(found), "pod.yaml") == found


def test_judging_imports_nothing_that_reads_cluster_files() -> None:
    program = (
        "import sys, gpuplane.lint.judged_file; "
        "print(sorted({'cdk8s', 'pydantic', 'charts_py.platform.platform'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
