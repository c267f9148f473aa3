import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run
from upstream.lock import LockedFile

CONTENT = b"kind: List\n"
LOCKED = LockedFile(
    file="crds/list.yaml",
    repository="example/example",
    version="v1",
    commit="0" * 40,
    path="list.yaml",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
)


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("upstream.lock.committed_lock", lambda: (LOCKED,))
    (tmp_path / "mirror" / "crds").mkdir(parents=True)
    (tmp_path / "mirror" / "crds" / "list.yaml").write_bytes(CONTENT)
    return tmp_path / "mirror"


def test_files_of_a_mirror_are_copied(run: Run, mirror: Path, tmp_path: Path) -> None:
    said = run.printed("upstream", "fetch", "--mirror", mirror, "--to", tmp_path / "kept")
    assert said == f"{tmp_path}/kept: 1 files\n"
    assert (tmp_path / "kept" / "crds" / "list.yaml").read_bytes() == CONTENT


def test_charts_are_copied_without_the_rest(
    run: Run, mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = replace(LOCKED, file="charts/list/values.yaml")
    monkeypatch.setattr("upstream.fetch.committed_lock", lambda: (chart, LOCKED))
    (mirror / "charts" / "list").mkdir(parents=True)
    (mirror / chart.file).write_bytes(CONTENT)
    result = run("upstream", "fetch", "--mirror", mirror, "--charts", "--to", tmp_path / "kept")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path}/kept: 1 files\n")
    assert (tmp_path / "kept" / chart.file).read_bytes() == CONTENT


def test_a_wrong_digest_is_the_environments_fault(run: Run, mirror: Path, tmp_path: Path) -> None:
    (mirror / "crds" / "list.yaml").write_bytes(b"")
    fetch = ("upstream", "fetch", "--mirror", mirror, "--to", tmp_path / "kept")
    assert run.refused(*fetch, code=3).startswith(f"{mirror}/crds/list.yaml: sha256 is ")


def test_compiled_schemas_are_written_and_checked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upstream.compile.compile_all", lambda _: {"core/v1.json": b"{}\n"})
    folder = tmp_path / "schemas"
    write = ("upstream", "compile", "--mirror", tmp_path, "--to", folder)
    assert run.ended(*write, "--check") == (1, "core/v1.json: missing\n", "")
    assert run(*write).stdout == f"{folder}: 1 schemas\n"
    assert run.printed(*write, "--check") == ""
