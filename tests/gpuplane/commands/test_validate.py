"""`gpuplane validate`."""

import json
from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run

NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: research\n"
RECORD = {
    "cluster": "sample",
    "version": "1.0.0",
    "kubernetes": "1.34",
    "toolVersion": "0.1.0",
    "specDigest": "",
    "charts": [],
    "crds": [],
    "files": {},
}


@pytest.fixture
def namespace(tmp_path: Path) -> Path:
    folder = tmp_path / "dist" / "sample" / "1.0.0"
    (folder / "team").mkdir(parents=True)
    (folder / "release.json").write_text(json.dumps(RECORD), encoding="utf-8")
    file = folder / "team" / "Namespace.research.yaml"
    file.write_text(NAMESPACE, encoding="utf-8")
    return file


@pytest.mark.usefixtures("namespace")
def test_kinds_are_counted(in_repository: Run) -> None:
    result = in_repository("validate")
    cells = [[c.strip() for c in row.split("│")[1:-1]] for row in result.stdout.splitlines()]
    assert (result.exit_code, cells[-3]) == (0, ["Namespace", "v1", "1"])
    assert result.stdout.splitlines()[-1] == "1 object, all valid"


def test_a_fault_is_a_line(in_repository: Run, namespace: Path) -> None:
    namespace.write_text(f"{NAMESPACE}  lables: {{}}\n", encoding="utf-8")
    result = in_repository("validate", "sample")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-2:] == [
        f"{namespace}: Namespace/research: /metadata: additional properties 'lables' not allowed",
        "1 object, 1 invalid",
    ]


def test_json_names_each_fault(in_repository: Run, namespace: Path) -> None:
    namespace.write_text(f"{NAMESPACE}spec: 3\n", encoding="utf-8")
    result = in_repository("validate", "-o", "json")
    assert (result.exit_code, result.stderr) == (1, "")
    report = json.loads(result.stdout)
    message = report["faults"][0].pop("message")
    assert report == {
        "apiVersion": "gpuplane.io/v1alpha1",
        "kind": "Validation",
        "objects": 1,
        "kinds": [{"apiVersion": "v1", "kind": "Namespace", "count": 1}],
        "faults": [
            {"file": str(namespace), "apiVersion": "v1", "kind": "Namespace", "name": "research"}
        ],
    }
    assert message.startswith("/spec: ")


def test_nothing_rendered_is_wrong_input(in_repository: Run, tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    said = f"{tmp_path}/dist: nothing is rendered; run gpuplane synth\n"
    assert in_repository.refused("validate") == said


@pytest.mark.usefixtures("namespace")
def test_an_unknown_cluster_is_wrong_input(in_repository: Run, tmp_path: Path) -> None:
    said = f'unknown cluster "simple" in {tmp_path}/dist; allowed: sample; nearest: sample\n'
    assert in_repository.refused("validate", "simple") == said


@pytest.mark.parametrize(("field", "code"), [("labels", 0), ("lables", 1)])
def test_quiet_prints_faults_alone(
    in_repository: Run, namespace: Path, field: str, code: int
) -> None:
    namespace.write_text(f"{NAMESPACE}  {field}: {{}}\n", encoding="utf-8")
    result = in_repository("validate", "--quiet")
    fault = (
        f"{namespace}: Namespace/research: /metadata: additional properties 'lables' not allowed\n"
    )
    assert (result.exit_code, result.stdout, result.stderr) == (code, fault * code, "")
