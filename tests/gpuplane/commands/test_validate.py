from pathlib import Path

import pytest

from gpuplane.commands.arguments import warn_of_older
from gpuplane.platform_repository import PlatformRepository
from gpuplane.versions.main_branch import RepositoryRequest
from tests.gpuplane.conftest import Run, fields
from tests.gpuplane.versions.rendered_versions import NAMESPACE, write_version

LAB = ("lab", "--provider", "gke", "--region", "europe-west4", "--gpu", "L4", "--nodes", "4")


@pytest.fixture
def namespace(tmp_path: Path) -> Path:
    folder = write_version(tmp_path / "dist", "sample/1.0.0", **{"Namespace.research": NAMESPACE})
    return folder / "part" / "Namespace.research.yaml"


@pytest.mark.usefixtures("namespace")
def test_kinds_are_counted(in_repository: Run) -> None:
    result = in_repository("validate")
    cells = [[c.strip() for c in row.split("│")[1:-1]] for row in result.stdout.splitlines()]
    assert (result.exit_code, cells[-3]) == (0, ["Namespace", "v1", "1"])
    assert result.stdout.splitlines()[-1] == "1 object of 1 version, all valid"


def test_a_fault_is_a_line(in_repository: Run, namespace: Path) -> None:
    namespace.write_text(f"{NAMESPACE}  lables: {{}}\n", encoding="utf-8")
    result = in_repository("validate", "sample")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-2:] == [
        f"{namespace}: Namespace/research: /metadata: additional properties 'lables' not allowed",
        "1 object of 1 version, 1 invalid",
    ]


def test_json_names_each_fault(in_repository: Run, namespace: Path) -> None:
    namespace.write_text(f"{NAMESPACE}spec: 3\n", encoding="utf-8")
    report = in_repository.report("validate", code=1)
    message = report["faults"][0].pop("message")
    assert report == fields(f"""
        kind: Validation, objects: 1, kinds: [{{apiVersion: v1, kind: Namespace, count: 1}}],
        faults: [{{file: {namespace}, apiVersion: v1, kind: Namespace, name: research}}]
    """)
    assert message.startswith("/spec: ")


def test_nothing_rendered_is_wrong_input(in_repository: Run, tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    said = f"{tmp_path}/dist: nothing is rendered; run gpuplane synth\n"
    assert in_repository.refused("validate") == said


def test_what_is_beside_the_versions_is_counted_apart(in_repository: Run, namespace: Path) -> None:
    (namespace.parents[2] / "project.yaml").write_text(NAMESPACE, encoding="utf-8")
    said = "1 object of 1 version, and 1 of Argo CD, all valid"
    assert in_repository("validate").stdout.splitlines()[-1] == said


@pytest.mark.usefixtures("examples")
def test_a_cluster_file_that_was_edited_since_is_warned_of(
    in_repository: Run, tmp_path: Path
) -> None:
    in_repository("new", "cluster", *LAB)
    in_repository("synth", "lab")
    file = tmp_path / "clusters" / "lab.yaml"
    edited = "lab is not rendered as clusters/ has it now: run gpuplane synth lab"
    assert edited not in in_repository("validate", "lab").stderr
    file.write_text(file.read_text("utf-8").replace("max: 4", "max: 5"), encoding="utf-8")
    assert f"warning: {edited}\n" in in_repository("validate", "lab").stderr


@pytest.mark.parametrize(("named", "mirror"), [("", ".tools/upstream"), ("/mirror", "/mirror")])
def test_charts_of_an_edited_cluster_are_those_of_the_mirror_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str, mirror: str
) -> None:
    asked: list[Path | None] = []

    def older_lines(_: object, request: RepositoryRequest) -> list[str]:
        asked.append(request.mirror)
        return []

    monkeypatch.setattr("gpuplane.release.edited_tree.older_lines", older_lines)
    monkeypatch.setenv("GPUPLANE_MIRROR", named)
    warn_of_older(PlatformRepository(tmp_path), ())
    assert asked == [tmp_path / mirror]


@pytest.mark.usefixtures("namespace")
def test_an_unknown_cluster_is_wrong_input(in_repository: Run, tmp_path: Path) -> None:
    said = f'unknown cluster "simple" in {tmp_path}/dist; allowed: sample; nearest: sample\n'
    assert in_repository.refused("validate", "simple") == said


@pytest.mark.parametrize(("field", "code"), [("labels", 0), ("lables", 1)])
def test_quiet_prints_faults_alone(
    in_repository: Run, namespace: Path, field: str, code: int
) -> None:
    namespace.write_text(f"{NAMESPACE}  {field}: {{}}\n", encoding="utf-8")
    fault = (
        f"{namespace}: Namespace/research: /metadata: additional properties 'lables' not allowed\n"
    )
    assert in_repository.ended("validate", "--quiet") == (code, fault * code, "")
