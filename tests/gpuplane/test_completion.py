"""The names that a shell offers to complete."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from gpuplane.application import create_application
from gpus.catalog import load_catalog
from policies.rule_name import RuleName


def _completed(words: str, repository: Path) -> list[str]:
    """Return what bash offers for the last word, which may be empty."""
    line = f"gpuplane -C {repository} {words}"
    environment = {
        "_GPUPLANE_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
    }
    return CliRunner().invoke(create_application(), env=environment).stdout.split()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "clusters").mkdir()
    for name in ("fleet", "training", "inference"):
        (tmp_path / "clusters" / f"{name}.yaml").touch()
    for version in ("1.0.0", "1.1.0", "2.0.0"):
        folder = tmp_path / "dist" / "training" / version
        folder.mkdir(parents=True)
        (folder / "release.json").touch()
    (tmp_path / "dist" / "training" / "1.9.9").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("synth ", ["inference", "training"]),
        ("synth t", ["training"]),
        ("synth clusters/t", ["clusters/training.yaml"]),
        ("validate training ", ["inference"]),
        ("rules --cluster i", ["inference"]),
        ("admit pod.yaml --cluster ", ["inference", "training"]),
        ("diff t", ["training"]),
        ("diff clusters/training.yaml 2", ["2.0.0"]),
        ("diff training ", ["inference", "1.0.0", "1.1.0", "2.0.0"]),
        ("diff training 1.0.0 1.", ["1.0.0", "1.1.0"]),
        ("diff nowhere ", ["inference", "training"]),
        ("promote training ", ["inference", "1.0.0", "1.1.0", "2.0.0"]),
        ("rules shared-m", [RuleName.SHARED_MEMORY.value]),
        ("lint . --select job-", ["job-backoff-limit", "job-ttl"]),
        ("lint . --ignore queue-", ["queue-scheduler", "queue-name"]),
        ("hardware ", ["eks", "gke", "aks", *load_catalog().models]),
        ("hardware H200", ["H200-SXM", "H200-NVL"]),
        ("rules -o ", ["text", "json"]),
        ("init here --provider ", ["eks", "gke", "aks", "onprem"]),
    ],
)
def test_own_names_are_completed(repository: Path, words: str, names: list[str]) -> None:
    assert _completed(words, repository) == names


@pytest.mark.parametrize("words", ["synth ", "diff ", "diff training "])
def test_where_names_cannot_be_read_none_are_offered(tmp_path: Path, words: str) -> None:
    assert _completed(words, tmp_path) == []
