import shutil
from pathlib import Path

import pytest

from tests.gpuplane.conftest import SAMPLES, Run

OWN = """
charts:
  versions: {gpu-operator: v26.7.1} # a fix that cannot wait
"""
NOTE = "note: no record says what gpu-operator {} changes: read its release notes (docs/plan.md)\n"


@pytest.fixture
def clusters(tmp_path: Path) -> Path:
    """Return the folder of two clusters, of which one states a version of its own."""
    folder = tmp_path / "clusters"
    folder.mkdir()
    shutil.copy(SAMPLES / "eks.yaml", folder / "one.yaml")
    text = (SAMPLES / "eks.yaml").read_text("utf-8").replace("clusterName: ", "clusterName: other-")
    (folder / "two.yaml").write_text(text + OWN, encoding="utf-8")
    return folder


def test_a_bump_of_named_clusters_stands_in_their_files(in_repository: Run, clusters: Path) -> None:
    before = (clusters / "one.yaml").read_text("utf-8")
    assert in_repository.ended("bump", "gpu-operator", "v26.7.2", "one") == (
        0,
        f"{clusters / 'one.yaml'}: written\nnext: gpuplane release one\n",
        NOTE.format("v26.7.0 to v26.7.2"),
    )
    stated = "charts:\n  versions:\n    gpu-operator: v26.7.2\n"
    assert (clusters / "one.yaml").read_text("utf-8") == before + stated


def test_a_bump_of_all_clusters_stands_in_what_they_share(
    in_repository: Run, clusters: Path
) -> None:
    (clusters / "fleet.yaml").write_text("charts: {}\n", encoding="utf-8")
    assert in_repository.ended("bump", "gpu-operator", "v26.7.2") == (
        0,
        (
            f"{clusters / 'fleet.yaml'}: written\n{clusters / 'two.yaml'}: written\n"
            "next: gpuplane release one two\n"
        ),
        NOTE.format("v26.7.0 to v26.7.2") + NOTE.format("v26.7.1 to v26.7.2"),
    )
    shared = (clusters / "fleet.yaml").read_text("utf-8")
    assert shared == "charts:\n  versions:\n    gpu-operator: v26.7.2\n"
    assert "v26" not in (clusters / "two.yaml").read_text("utf-8")


@pytest.mark.usefixtures("clusters")
def test_without_what_clusters_share_each_file_states_it(in_repository: Run) -> None:
    diff = in_repository("bump", "gpu-operator", "v26.7.2", "--dry-run").stdout
    assert [line for line in diff.splitlines() if line[0] in "+-"] == [
        "--- a/clusters/one.yaml",
        "+++ b/clusters/one.yaml",
        "+charts:",
        "+  versions:",
        "+    gpu-operator: v26.7.2",
        "--- a/clusters/two.yaml",
        "+++ b/clusters/two.yaml",
        "-  versions: {gpu-operator: v26.7.1} # a fix that cannot wait",
        "+  versions: {gpu-operator: v26.7.2} # a fix that cannot wait",
    ]


def test_the_tested_version_needs_no_field(in_repository: Run, clusters: Path) -> None:
    done = in_repository("bump", "gpu-operator", "v26.7.0", "two")
    assert done.stdout.endswith("next: gpuplane release two\n")
    assert "charts" not in (clusters / "two.yaml").read_text("utf-8")
    said = "every cluster installs gpu-operator v26.7.0 already\n"
    assert in_repository.printed("bump", "gpu-operator", "v26.7.0", "two") == said


def test_one_cluster_states_the_tested_version_where_all_have_another(
    in_repository: Run, clusters: Path
) -> None:
    shared = "charts: {versions: {gpu-operator: v26.7.2}}\n"
    (clusters / "fleet.yaml").write_text(shared, encoding="utf-8")
    done = in_repository("bump", "gpu-operator", "v26.7.0", "one")
    assert done.stdout.endswith("next: gpuplane release one\n")
    assert "gpu-operator: v26.7.0" in (clusters / "one.yaml").read_text("utf-8")


@pytest.mark.usefixtures("clusters")
def test_an_older_version_is_warned_of(in_repository: Run) -> None:
    done = in_repository("bump", "gpu-operator", "v26.3.3", "one", "--dry-run")
    assert done.stderr.splitlines()[0].endswith(
        "one.yaml: charts.versions.gpu-operator: v26.3.3 is older than v26.7.0, with which "
        "gpuplane was tested; allowed: no version of gpu-operator, or a later one"
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("gpu-operater", "v1.0.0"), 'unknown chart "gpu-operater"; allowed: '),
        (("volcano", "1.0.0"), "volcano is not installed on any cluster\n"),
        (("volcano", "1.0.0", "one"), "volcano is not installed on one\n"),
        (("gpu-operator", "newest", "one"), "{}/one.yaml: charts.versions.gpu-operator:"),
        (("gpu-operator", "26.7.2", "one"), "{}/one.yaml: charts.versions.gpu-operator:"),
    ],
)
def test_a_refused_bump_writes_nothing(
    in_repository: Run, clusters: Path, arguments: tuple[str, ...], told: str
) -> None:
    before = {file: file.read_bytes() for file in clusters.iterdir()}
    assert in_repository.refused("bump", *arguments).startswith(told.format(clusters))
    assert {file: file.read_bytes() for file in clusters.iterdir()} == before
