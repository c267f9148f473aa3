import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
import yaml
from typer.testing import Result

from gpuplane.file_content import MAX_FILE_BYTES
from tests.gpuplane.conftest import Run, fields
from tests.restricted import CONTAINER, POD
from webhook.admission_round import creation_of

ROOT = Path(__file__).parents[3]
RIGHT = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web", "namespace": "recommendations"},
    "spec": {
        "containers": [{"name": "web", "image": "registry.example.com/web:1.0", **CONTAINER}],
        **POD,
    },
}
DENIED_SPEC = {"spec": {"containers": [], "tolerations": [{"operator": "Exists"}]}}
DENIED = RIGHT | DENIED_SPEC
OTHER = RIGHT | {"metadata": {"name": "other", "namespace": "recommendations"}}
DENIAL = (
    "denied gpu-node-intrusion: The pod asks for no GPU, but tolerates the taints of pool "
    "a100-mixed. Ask for a GPU resource, or remove that from spec.tolerations."
)

Admit: TypeAlias = Callable[..., Result]


@pytest.fixture
def admit(run: Run, tmp_path: Path) -> Admit:
    """Return the function that admits documents, as one file, on the cluster `training`."""

    def admitted(*documents: object, options: tuple[str, ...] = ()) -> Result:
        file = tmp_path / "pods.yaml"
        file.write_text("\n---\n".join(map(json.dumps, documents)), encoding="utf-8")
        return run("-C", ROOT, "admit", file, "--cluster", "training", *options)

    return admitted


def _read(result: Result) -> list[object]:
    return list(yaml.safe_load_all(result.stdout))


def test_the_fixed_object_is_printed_and_the_findings_go_to_stderr(run: Run) -> None:
    file = ROOT / "examples" / "spot-deployment.yaml"
    result = run("-C", ROOT, "admit", file, "--cluster", "training")
    (deployment,) = yaml.safe_load_all(result.stdout)
    assert result.exit_code == 0
    tolerated = [one["key"] for one in deployment["spec"]["template"]["spec"]["tolerations"]]
    assert tolerated == ["nvidia.com/gpu", "gpuplane.io/purchase"]
    assert [line.partition(": The ")[0] for line in result.stderr.splitlines()][:3] == [
        f"{file}:15: Deployment batch-scoring: fixed {rule}"
        for rule in ("granted-pools", "tolerations", "replica-spread")
    ]


def test_nothing_is_printed_where_one_object_is_denied(admit: Admit, tmp_path: Path) -> None:
    result = admit(RIGHT, OTHER | DENIED_SPEC)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"{tmp_path}/pods.yaml:3: Pod other: {DENIAL}\n"
        "nothing is printed, since 1 of 2 objects is denied; --skip-denied prints the others\n"
    )


def test_the_admitted_objects_are_printed_where_the_denied_are_skipped(
    admit: Admit, tmp_path: Path
) -> None:
    result = admit(RIGHT, OTHER | DENIED_SPEC, options=("--skip-denied",))
    assert (result.exit_code, _read(result)) == (1, [RIGHT])
    assert result.stderr == f"{tmp_path}/pods.yaml:3: Pod other: {DENIAL}\n"


def test_the_file_can_be_stdin(run: Run) -> None:
    arguments = ("-C", ROOT, "admit", "-", "--cluster", "training")
    result = run(*arguments, answers=json.dumps(DENIED))
    assert result.stderr == f"-:1: Pod web: {DENIAL}\n"


def test_the_namespace_can_be_another(admit: Admit) -> None:
    pod = RIGHT | {
        "spec": {
            "priorityClassName": "system-node-critical",
            "containers": [{"name": "a", "resources": {"limits": {"nvidia.com/gpu": 1}}}],
        }
    }
    assert admit(pod).exit_code == 1
    assert admit(pod, options=("--namespace", "kube-system")).exit_code == 0


@pytest.mark.parametrize("name", ["A B", "", "x" * 64, "Recommendations"])
def test_what_no_namespace_can_be_called_is_wrong(admit: Admit, name: str) -> None:
    result = admit(RIGHT, options=("--namespace", name))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "namespace" in result.stderr


def test_the_webhooks_answers_are_printed_one_a_line(admit: Admit) -> None:
    result = admit(RIGHT, OTHER | DENIED_SPEC, options=("-o", "review"))
    answers = [json.loads(line)["response"] for line in result.stdout.splitlines()]
    assert [answer["allowed"] for answer in answers] == [True, True, True, False]
    assert answers[3]["status"]["message"] == DENIAL.removeprefix("denied ")


def test_a_review_is_answered_and_its_object_printed(admit: Admit, tmp_path: Path) -> None:
    allowed, denied = creation_of(RIGHT, "recommendations"), creation_of(DENIED, "recommendations")
    assert _read(admit(allowed)) == [RIGHT]
    result = admit(denied)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"{tmp_path}/pods.yaml:1: Pod web: {DENIAL}\n"


def test_a_malformed_review_is_wrong_input(admit: Admit, tmp_path: Path) -> None:
    review = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {}}
    result = admit(RIGHT, review)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        f"{tmp_path}/pods.yaml:3: The body is not an admission.k8s.io/v1 AdmissionReview: "
        "Object missing required field `uid` - at `$.request`\n"
    )


def test_what_is_not_a_manifest_is_wrong_input_with_its_line(admit: Admit, tmp_path: Path) -> None:
    result = admit({"kind": "Pod"})
    said = f"{tmp_path}/pods.yaml:1: apiVersion: missing\n"
    assert (result.exit_code, result.stderr) == (2, said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_device_is_not_read_since_it_may_never_end(run: Run) -> None:
    message = "/dev/full: is not a regular file; allowed: regular files, folders, and - for stdin\n"
    arguments = ("-C", ROOT, "admit", "/dev/full", "--cluster", "training")
    assert run.refused(*arguments, code=3) == message


def test_what_is_too_large_to_judge_is_not_read(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "large.yaml"
    file.write_bytes(b"#" * (MAX_FILE_BYTES + 1))
    arguments = ("-C", ROOT, "admit", file, "--cluster", "training")
    assert run.refused(*arguments, code=3) == f"{file}: is larger than 8 MiB; split it\n"


def test_what_cannot_be_read_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "pod.yaml").write_text(json.dumps(RIGHT), encoding="utf-8")
    (tmp_path / "comment.yaml").write_text("# nothing\n", encoding="utf-8")
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / "a.yaml").symlink_to("a.yaml")
    missing = "there is no such file or folder"
    for name, code, said in (
        ("empty", 2, "a folder without manifests; allowed: one with *.json, *.yaml, *.yml"),
        ("pods.yaml", 2, f"{missing}; nearest: {tmp_path}/pod.yaml"),
        ("nowhere/pod.yaml", 2, missing),
        ("loop", 3, "Too many levels of symbolic links"),
        ("comment.yaml", 2, "no object; allowed: a mapping with apiVersion and kind"),
    ):
        arguments = ("-C", ROOT, "admit", tmp_path / name, "--cluster", "training")
        place = {"loop": "loop/a.yaml", "comment.yaml": "comment.yaml:1"}.get(name, name)
        assert run.refused(*arguments, code=code) == f"{tmp_path}/{place}: {said}\n"


def test_stdin_without_an_object_is_wrong_input(run: Run) -> None:
    said = "-:1: no object; allowed: a mapping with apiVersion and kind\n"
    assert run.refused("-C", ROOT, "admit", "-", "--cluster", "training") == said


def test_a_folder_is_all_that_is_in_it_each_file_once(run: Run, tmp_path: Path) -> None:
    pods = {
        name: RIGHT | {"metadata": {"name": name, "namespace": "recommendations"}}
        for name in ("a", "b", "c", "hidden", "unread")
    }
    files = ("a.json", "deep/er/b.yml", "deep/c.yaml", ".git/hidden.yaml", "unread.txt")
    for path, pod in zip(files, pods.values(), strict=True):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(pod), encoding="utf-8")
    named = (tmp_path / "deep" / "c.yaml", tmp_path, tmp_path / "deep" / ".." / "a.json")
    result = run("-C", ROOT, "admit", *named, "--cluster", "training")
    assert (result.exit_code, result.stderr) == (0, "")
    assert _read(result) == [pods["c"], pods["a"], pods["b"]]


def test_what_else_is_in_a_folder_is_passed_over_and_placeholders_are_named(
    run: Run, tmp_path: Path
) -> None:
    pod = RIGHT | {"spec": {"containers": [{"name": "web", "image": "A_B", **CONTAINER}], **POD}}
    files = {
        "given.yaml": "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{NAME}}\n",
        "templates/a.yaml": "apiVersion: v1\nkind: Pod\n{{- if .Values.gpus }}\n{{- end }}\n",
        "values.yaml": "gpus: 1\n",
        "web.yaml": json.dumps(pod),
    }
    (tmp_path / "templates").mkdir()
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    result = run("-C", ROOT, "admit", tmp_path, "--cluster", "training")
    assert result.stderr.replace(f"note: {tmp_path}/", "").splitlines() == [
        "given.yaml: is passed over, since the placeholder {{NAME}} is not filled in",
        "templates/a.yaml: is passed over, since it is a template of Helm, which is not a manifest",
        "values.yaml: is passed over, since it holds no object",
        "web.yaml:1: spec.containers[0].image is the placeholder A_B, which is judged as it stands",
    ]
    assert _read(result) == [pod]


def test_a_part_of_a_gpu_that_a_pod_cannot_get_is_noted(admit: Admit, tmp_path: Path) -> None:
    metadata = {"name": "web", "annotations": {"gpu-fraction": "0.5"}}
    spec = {"containers": [{"name": "web", "image": "a:1"}], "schedulerName": "kai-scheduler"}
    told = admit(RIGHT | {"metadata": metadata, "spec": spec}).stderr
    assert told.replace(f"{tmp_path}/", "") == (
        "note: pods.yaml:1: Pod web: It asks for gpu-fraction: 0.5 in metadata.annotations, but "
        "kai-scheduler does not run here: the pod waits for ever. Ask for a GPU resource.\n"
    )


def test_an_object_that_stands_in_two_files_is_noted(run: Run, tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(json.dumps(RIGHT), encoding="utf-8")
    result = run("-C", ROOT, "admit", tmp_path, "--cluster", "training")
    assert (result.exit_code, _read(result)) == (0, [RIGHT, RIGHT])
    assert result.stderr == (
        f"note: {tmp_path}/b.yaml:1: Pod web of namespace recommendations stands in "
        f"{tmp_path}/a.yaml:1 as well; what is applied last stays\n"
    )


def test_a_namespace_of_gpu_pods_without_a_team_is_noted_once(admit: Admit) -> None:
    limits = {"resources": {"limits": {"nvidia.com/gpu": 1}}}
    gpu = {"spec": {"containers": [{"name": "web", "image": "a:1", **limits}]}}
    options = ("--namespace", "recomendations")
    told = admit(RIGHT | gpu, OTHER | gpu, options=options).stderr.splitlines()
    (note,) = (line for line in told if line.startswith("note: "))
    assert note == (
        "note: no team of training has the namespace recomendations, so the rules about a team's "
        "pools, priorities, labels and purpose find nothing; nearest: recommendations; write that "
        "of a team as metadata.namespace, or pass --namespace"
    )
    assert "note: " not in admit(RIGHT, options=options).stderr
    assert "note: " not in admit(RIGHT | gpu).stderr
    assert "note: " not in admit(RIGHT | gpu, options=(*options, "--quiet")).stderr


def test_quiet_tells_denials_alone(run: Run) -> None:
    files = [ROOT / "examples" / name for name in ("spot-deployment.yaml", "pytorchjob.yaml")]
    result = run("-C", ROOT, "admit", *files, "--cluster", "training", "--quiet", "--skip-denied")
    (denial,) = result.stderr.splitlines()
    assert denial.startswith(
        f"{files[1]}:40: PyTorchJob distributed /spec/pytorchReplicaSpecs/Worker/template: "
        "denied visible-devices: The "
    )


def test_verbose_names_what_nothing_was_found_in(admit: Admit, tmp_path: Path) -> None:
    assert admit(RIGHT, options=("--verbose",)).stderr == (
        f"{tmp_path}/pods.yaml:1: Pod web: nothing found\n"
    )


def test_verbose_names_what_no_rule_reads(admit: Admit, tmp_path: Path) -> None:
    release = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease"}
    items = {"apiVersion": "v1", "kind": "List", "items": [release, RIGHT]}
    assert admit(release, items, options=("--verbose",)).stderr == (
        f"{tmp_path}/pods.yaml:1: HelmRelease: not judged\n"
        f"{tmp_path}/pods.yaml:3: List: nothing found\n"
    )


def test_an_object_without_a_whole_pod_is_told_to_have_no_review(
    admit: Admit, tmp_path: Path
) -> None:
    server = {"apiVersion": "serving.kserve.io/v1beta1", "kind": "InferenceService"}
    one = RIGHT | server | {"spec": {"predictor": {"model": {"modelFormat": {"name": "a"}}}}}
    result = admit(one, options=("-o", "review"))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        f"note: {tmp_path}/pods.yaml:1: InferenceService web: states no whole pod that a webhook "
        "could be asked about; -o review needs pods as a whole, as in a Pod or a Deployment\n"
    )
    assert admit(one, options=("-o", "review", "--quiet")).stderr == ""


@pytest.mark.parametrize(("effect", "code"), [("fixed", 32), ("denied", 31), ("warned", 33)])
def test_a_finding_has_the_colour_of_what_was_done(
    run: Run, monkeypatch: pytest.MonkeyPatch, effect: str, code: int
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    coloured = run("-C", ROOT, "admit", ROOT / "examples", "--cluster", "training").stderr
    lines = [line for line in coloured.splitlines() if f": {effect} " in line]
    assert lines
    assert {line.startswith(f"\x1b[{code}m") for line in lines} == {True}


def test_the_report_has_every_object_with_its_findings(admit: Admit, tmp_path: Path) -> None:
    result = admit(RIGHT, OTHER | DENIED_SPEC, options=("-o", "json"))
    subject = {"apiVersion": "v1", "kind": "Pod", "namespace": "recommendations"}
    file = f"{tmp_path}/pods.yaml"
    message, _, remedy = DENIAL.removeprefix("denied gpu-node-intrusion: ").partition(". ")
    assert result.exit_code == 1
    finding = fields(
        "line: 3, effect: denied, rule: gpu-node-intrusion, pointer: /spec/tolerations"
    )
    finding |= {"message": f"{message}.", "remedy": remedy}
    web = fields("line: 1, allowed: true, findings: []") | {"admitted": RIGHT}
    other = fields("line: 3, allowed: false, admitted: null") | {"findings": [finding]}
    assert json.loads(result.stdout) == {
        **fields("apiVersion: gpuplane.io/v1alpha1, kind: Admission, cluster: training"),
        "allowed": False,
        "items": [
            {**web, "file": file, "object": {**subject, "name": "web"}},
            {**other, "file": file, "object": {**subject, "name": "other"}},
        ],
    }


MANAGER = "multikueue-manager"
SAMPLES = ROOT / "tests" / "charts_py" / "samples"


def _spec(**fields: object) -> dict[str, object]:
    return {
        "containers": [
            {
                "name": "train",
                "image": "registry.example.com/train:1",
                "resources": {"limits": {"nvidia.com/gpu": fields.pop("gpus", 8), "memory": "1Gi"}},
                **CONTAINER,
            }
        ],
        **POD,
        **fields,
    }


def _made(api_version: str, kind: str, spec: object, **metadata: object) -> dict[str, object]:
    named = {"name": "train", "namespace": "research-training", **metadata}
    return {"apiVersion": api_version, "kind": kind, "metadata": named, "spec": spec}


def _job(**fields: object) -> dict[str, object]:
    return _made("batch/v1", "Job", {"template": {"spec": _spec(**fields)}})


@pytest.fixture
def admit_in_manager(in_repository: Run, tmp_path: Path) -> Admit:
    """Return the function that admits a document in a cluster whose jobs another one runs."""
    clusters = tmp_path / "clusters"
    clusters.mkdir()
    for name in (MANAGER, "multikueue-worker"):
        text = (SAMPLES / f"{name}.yaml").read_text(encoding="utf-8")
        (clusters / f"{name}.yaml").write_text(text, encoding="utf-8")

    def admitted(document: object, *options: str) -> Result:
        file = tmp_path / "manifest.yaml"
        file.write_text(json.dumps(document), encoding="utf-8")
        return in_repository("admit", file, "--cluster", MANAGER, *options)

    return admitted


def _findings(result: Result, effect: str = "denied") -> list[str]:
    lines = (line.partition(": ")[2] for line in result.stderr.splitlines())
    told = f" {effect} "
    return [line[: line.index(": ", line.index(told))] for line in lines if told in line]


def test_a_job_that_workers_run_is_judged_by_their_rules_and_stays_as_it_is(
    admit_in_manager: Admit,
) -> None:
    result = admit_in_manager(_job())
    assert (result.exit_code, _read(result)) == (0, [_job()])
    assert _findings(result, "fixed") == [
        f"in multikueue-worker: Job train: fixed {rule}"
        for rule in ("tolerations", "priority-class", "team-labels", "shared-memory")
    ]


LEADER_WORKER_SET = "leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet"
IN_GROUPS = {"leaderWorkerTemplate": {"workerTemplate": {"spec": _spec()}}}


@pytest.mark.parametrize(
    ("document", "denied"),
    [
        (_job(gpus=9), ["in multikueue-worker: Job train: denied gpus-per-node"]),
        (_made("v1", "Pod", _spec()), ["Pod train: denied granted-pools"]),
        (_made(*LEADER_WORKER_SET, IN_GROUPS), ["LeaderWorkerSet train: denied granted-pools"]),
        (
            _job(priorityClassName="inference"),
            [
                "Job train: denied priority-class",
                "in multikueue-worker: Job train: denied priority-class",
            ],
        ),
    ],
)
def test_what_a_manager_or_its_worker_would_refuse_is_denied(
    admit_in_manager: Admit, document: object, denied: list[str]
) -> None:
    assert _findings(admit_in_manager(document)) == denied


def test_the_namespace_that_is_stated_decides_who_runs_a_job(admit_in_manager: Admit) -> None:
    elsewhere = _job() | {"metadata": {"name": "train", "namespace": "elsewhere"}}
    result = admit_in_manager(elsewhere, "-n", "research-training")
    assert all("in multikueue-worker: " in line for line in result.stderr.splitlines())


def test_what_a_policy_of_the_api_server_refuses_is_denied_in_its_words(admit: Admit) -> None:
    service = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "recommendations"},
        "spec": {"ports": [{"port": 80}], "externalIPs": ["192.0.2.1"]},
    }
    result = admit(service, options=("--quiet",))
    assert result.exit_code == 1
    _, _, told = result.stderr.partition(": ")
    assert told.splitlines()[0] == (
        "Service web: denied external-addresses.gpuplane.io: Services of this namespace have no "
        "spec.externalIPs, which take from everybody in the cluster what is sent to these "
        "addresses; use a Service of type LoadBalancer, which the quota counts."
    )
