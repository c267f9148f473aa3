"""`gpuplane admit`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
import yaml
from typer.testing import CliRunner, Result

from gpuplane.application import create_application
from webhook.admission_round import creation_of

ROOT = Path(__file__).parents[3]
RIGHT = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "web", "namespace": "recommendations"},
    "spec": {"containers": [{"name": "web", "image": "registry.example.com/web:1.0"}]},
}
DENIED = RIGHT | {"spec": {"containers": [], "tolerations": [{"operator": "Exists"}]}}
DENIAL = (
    "denied gpu-node-intrusion: The pod asks for no GPU, but tolerates the taints of pool "
    "a100-mixed. Ask for a GPU resource, or remove that from spec.tolerations."
)

Admit: TypeAlias = Callable[..., Result]


@pytest.fixture
def admit(run: Callable[..., Result], tmp_path: Path) -> Admit:
    """Return the function that admits documents, as one file, on the cluster `training`."""

    def admitted(*documents: object, options: tuple[str, ...] = ()) -> Result:
        file = tmp_path / "pods.yaml"
        file.write_text("\n---\n".join(map(json.dumps, documents)), encoding="utf-8")
        return run("-C", ROOT, "admit", file, "--cluster", "training", *options)

    return admitted


def _read(result: Result) -> list[object]:
    return list(yaml.safe_load_all(result.stdout))


def test_the_fixed_object_is_printed_and_the_findings_go_to_stderr(
    run: Callable[..., Result],
) -> None:
    file = ROOT / "examples" / "spot-deployment.yaml"
    result = run("-C", ROOT, "admit", file, "--cluster", "training")
    (deployment,) = yaml.safe_load_all(result.stdout)
    assert result.exit_code == 0
    assert [one["key"] for one in deployment["spec"]["template"]["spec"]["tolerations"]] == [
        "nvidia.com/gpu",
        "gpuplane.io/purchase",
    ]
    assert [line.partition(": The ")[0] for line in result.stderr.splitlines()][:3] == [
        f"{file}:15: Deployment batch-scoring: fixed granted-pools",
        f"{file}:15: Deployment batch-scoring: fixed tolerations",
        f"{file}:15: Deployment batch-scoring: fixed replica-spread",
    ]


def test_a_denied_object_is_not_printed(admit: Admit, tmp_path: Path) -> None:
    result = admit(RIGHT, DENIED)
    assert (result.exit_code, _read(result)) == (1, [RIGHT])
    assert result.stderr == f"{tmp_path}/pods.yaml:3: Pod web: {DENIAL}\n"


def test_the_file_can_be_stdin() -> None:
    arguments = ["-C", str(ROOT), "admit", "-", "--cluster", "training"]
    result = CliRunner().invoke(create_application(), arguments, input=json.dumps(DENIED))
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


def test_the_webhooks_answers_are_printed_one_a_line(admit: Admit) -> None:
    result = admit(RIGHT, DENIED, options=("-o", "review"))
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
    assert (result.exit_code, result.stderr) == (
        2,
        f"{tmp_path}/pods.yaml:1: not an object; allowed: a mapping with apiVersion and kind\n",
    )


def test_an_unknown_cluster_is_wrong_input(run: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "pod.yaml"
    file.write_text(json.dumps(RIGHT), encoding="utf-8")
    result = run("-C", ROOT, "admit", file, "--cluster", "trainig")
    assert result.exit_code == 2
    assert result.stderr == (
        f'unknown cluster "trainig" in {ROOT}/clusters; allowed: inference, mixed, onprem, '
        "training; nearest: training\n"
    )


def test_a_file_that_is_not_there_is_wrong_input(run: Callable[..., Result]) -> None:
    result = run("-C", ROOT, "admit", "/nowhere.yaml", "--cluster", "training")
    assert result.exit_code == 2
    assert "/nowhere.yaml" in result.stderr
