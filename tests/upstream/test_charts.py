"""The pinned files of charts."""

import hashlib
import os
from pathlib import Path

import pytest
import yaml

from upstream.charts import files_of_charts, write_chart
from upstream.error import UpstreamError
from upstream.lock import LockedFile, committed_lock, locked_chart

REMEDY = "get the charts where there is a network: gpuplane upstream fetch --network --charts --to"
AMDS = "gpu-operator-charts"
FILES = {
    "charts/operator/Chart.yaml": b"name: operator\nversion: 0.0.0\nappVersion: main\n",
    "charts/operator/templates/a.yaml": b"kind: List\n",
}


def _locked(file: str, content: bytes) -> LockedFile:
    chart = ("operator", "v1.2.0", "v1.2.1") if file.endswith("Chart.yaml") else (None,) * 3
    return LockedFile(
        file=file,
        repository="example/operator",
        version="v1.2.0",
        commit="0" * 40,
        path=f"deploy/{file}",
        sha256=hashlib.sha256(content).hexdigest(),
        chart=chart[0],
        chart_version=chart[1],
        app_version=chart[2],
    )


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lock = tuple(_locked(file, content) for file, content in FILES.items())
    for module in ("charts", "lock"):
        monkeypatch.setattr(f"upstream.{module}.committed_lock", lambda: lock)
    for file, content in FILES.items():
        (tmp_path / "mirror" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mirror" / file).write_bytes(content)
    return tmp_path / "mirror"


def _written(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


def test_a_chart_is_its_pinned_files_and_nothing_else(mirror: Path, tmp_path: Path) -> None:
    (mirror / "charts/operator/templates/other.yaml").write_text("kind: Secret\n")
    folder = write_chart("operator", mirror, tmp_path / "to")
    assert folder == tmp_path / "to" / "charts/operator"
    assert _written(tmp_path / "to") == set(FILES)


def test_a_chart_depends_on_none_that_is_not_beside_it(mirror: Path, tmp_path: Path) -> None:
    described = FILES["charts/operator/Chart.yaml"] + b"dependencies: [{name: cache}]\n"
    (mirror / "charts/operator/Chart.yaml").write_bytes(described)
    with pytest.MonkeyPatch.context() as patch:
        lock = (
            _locked("charts/operator/Chart.yaml", described),
            *(_locked(file, content) for file, content in FILES.items() if "templates" in file),
        )
        for module in ("charts", "lock"):
            patch.setattr(f"upstream.{module}.committed_lock", lambda: lock)
        folder = write_chart("operator", mirror, tmp_path / "to")
    assert yaml.safe_load((folder / "Chart.yaml").read_text())["dependencies"] == []


@pytest.mark.parametrize(
    ("is_released", "versions"), [(True, ("v1.2.0", "v1.2.1")), (False, ("0.0.0", "main"))]
)
def test_only_a_released_chart_has_the_versions_of_its_repository(
    mirror: Path, tmp_path: Path, is_released: bool, versions: tuple[str, str]
) -> None:
    folder = write_chart("operator", mirror, tmp_path / "to", is_released=is_released)
    described = yaml.safe_load((folder / "Chart.yaml").read_text("utf-8"))
    assert (described["version"], described["appVersion"]) == versions


def test_another_file_than_the_pinned_one_is_refused_with_both_digests(
    mirror: Path, tmp_path: Path
) -> None:
    (mirror / "charts/operator/templates/a.yaml").write_bytes(b"")
    with pytest.raises(UpstreamError) as refused:
        write_chart("operator", mirror, tmp_path / "to")
    pinned = hashlib.sha256(b"kind: List\n").hexdigest()
    assert str(refused.value) == (
        f"{mirror}/charts/operator/templates/a.yaml: sha256 is {hashlib.sha256(b'').hexdigest()}; "
        f"the lock says {pinned} "
        f"(example/operator@{'0' * 40}:deploy/charts/operator/templates/a.yaml); {REMEDY} {mirror}"
    )


def test_several_faults_have_the_remedy_below_them(mirror: Path, tmp_path: Path) -> None:
    for file in FILES:
        (mirror / file).write_bytes(b"")
    with pytest.raises(UpstreamError) as refused:
        write_chart("operator", mirror, tmp_path / "to")
    first, second, remedy = str(refused.value).splitlines()
    assert first.startswith(f"{mirror}/charts/operator/Chart.yaml: sha256 is ")
    assert second.startswith(f"{mirror}/charts/operator/templates/a.yaml: sha256 is ")
    assert remedy == f"{REMEDY} {mirror}"


@pytest.mark.usefixtures("mirror")
@pytest.mark.parametrize(
    ("name", "what", "folder"),
    [
        ("none", "no such folder", "{}"),
        ("empty", "has no chart operator v1.2.0", "{}"),
        ("an empty one", "has no chart operator v1.2.0", "'{}'"),
        ("file", "is a file; allowed: a folder", "FOLDER"),
    ],
)
def test_a_mirror_without_the_chart_is_told_once(
    tmp_path: Path, name: str, what: str, folder: str
) -> None:
    (tmp_path / "file").write_text("")
    for made in ("empty", "an empty one"):
        (tmp_path / made).mkdir()
    named = tmp_path / name
    with pytest.raises(UpstreamError) as refused:
        write_chart("operator", named, tmp_path / "to")
    assert str(refused.value) == f"{named}: {what}; {REMEDY} {folder.format(named)}"


def test_all_that_a_chart_renders_is_pinned() -> None:
    """A file that is not would be missing in what is rendered, and nothing would tell.

    AMD's chart is not rendered.
    """
    if (named := os.environ.get("GPUPLANE_MIRROR")) is None:
        pytest.skip("GPUPLANE_MIRROR does not name a folder with upstream files")
    pinned = {each.file for each in files_of_charts()}
    charts = {each.chart for each in committed_lock() if each.chart is not None} - {AMDS}
    found = {
        file.relative_to(named).as_posix()
        for chart in charts
        for folder in ("templates", "crds", "charts")
        for file in Path(named, locked_chart(chart).folder, folder).rglob("*")
        if file.is_file() and file.name != "NOTES.txt"
    }
    assert sorted(found - pinned) == []
    assert found


def test_a_chart_stands_beside_its_description() -> None:
    assert str(locked_chart("gpu-operator").folder) == "charts/gpu-operator"
