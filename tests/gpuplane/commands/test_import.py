from pathlib import Path

import pytest

from tests.gpuplane.conftest import Run

EXPORTS = Path(__file__).parents[2] / "gpuplane" / "adoption" / "exports"
CLUSTERS = Path(__file__).parents[3] / "clusters"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Return the file that a cluster called sample gets, beside what all clusters share."""
    (tmp_path / "clusters").mkdir()
    fleet = (CLUSTERS / "fleet.yaml").read_text(encoding="utf-8")
    (tmp_path / "clusters" / "fleet.yaml").write_text(fleet, encoding="utf-8")
    return tmp_path / "clusters" / "sample.yaml"


def test_a_file_without_faults_is_written_and_named(in_repository: Run, written: Path) -> None:
    assert in_repository.printed("import", "sample", "--from", EXPORTS / "aks") == f"{written}\n"
    text = written.read_text(encoding="utf-8")
    assert "    instanceType: Standard_NC16as_T4_v3\n" in text
    assert [path.name for path in sorted(written.parent.iterdir())] == ["fleet.yaml", "sample.yaml"]


def test_a_file_with_faults_is_printed_and_not_written(in_repository: Run, written: Path) -> None:
    result = in_repository("import", "sample", "--from", EXPORTS / "gke")
    said = f"{written}: not written; 2 faults, each a comment above its line\n"
    assert (result.exit_code, result.stderr, written.exists()) == (1, said, False)
    fault = "# FAULT gke.location: missing; allowed: a string such as us-central1"
    assert fault in result.stdout.splitlines()


def test_a_file_that_is_there_is_replaced_only_where_asked(
    in_repository: Run, written: Path
) -> None:
    written.write_text("mine", encoding="utf-8")
    allowed = "--overwrite replaces it, --diff compares what it renders"
    said = f"{written}: already exists; {allowed}\n"
    assert in_repository.refused("import", "sample", "--from", EXPORTS / "aks") == said
    assert written.read_text(encoding="utf-8") == "mine"
    assert (
        in_repository("import", "sample", "--from", EXPORTS / "aks", "--overwrite").exit_code == 0
    )
    assert written.read_text(encoding="utf-8") != "mine"


@pytest.mark.usefixtures("written")
def test_diff_compares_what_the_file_renders_with_what_was_read(
    in_repository: Run, tmp_path: Path
) -> None:
    held = tmp_path / "held.yaml"
    value = (
        "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: batch}, value: 5}"
    )
    held.write_text(value, encoding="utf-8")
    arguments = ("--from", EXPORTS / "aks")
    assert in_repository("import", "sample", *arguments).exit_code == 0
    result = in_repository("import", "sample", *arguments, "--from", held, "--diff")
    first, *others = result.stdout.splitlines()
    assert result.exit_code == 0
    assert first == "sample, what a first sync changes: 53 added, 1 changed, 1 stay as they are"
    batch = others.index("~ priority-classes: PriorityClass batch")
    assert (others[batch + 2], others[-1]) == (
        "    value: 5 -> 100",
        "= ConfigMap gpu-operator/plugin",
    )


@pytest.mark.usefixtures("written")
def test_a_cluster_that_cannot_be_read_is_of_the_environment(
    in_repository: Run, tmp_path: Path
) -> None:
    pytest.importorskip("kubernetes", reason="the extra cluster is not installed")
    missing = tmp_path / "config"
    options = ("--context", "training", "--kubeconfig", missing)
    assert in_repository.refused("import", "sample", *options, code=3) == (
        f"context training of {missing}: Invalid kube-config file. No configuration found; "
        "name another one, or read an export with --from\n"
    )
