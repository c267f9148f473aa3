"""Rendering many clusters."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from gpuplane.versions.render_clusters import render_clusters
from gpuplane.versions.rendering import Sources
from tests.gpuplane.versions.conftest import Repository

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have two clusters be few, and three many."""
    monkeypatch.setattr("gpuplane.versions.render_clusters.MAX_SEQUENTIAL", 2)


def test_many_clusters_come_out_in_their_order_as_few_do(repository: Repository) -> None:
    names = ["lab-1", "lab-2", "lab-3"]
    for name in names:
        repository.write(name)
    files = [repository.clusters / f"{name}.yaml" for name in names]
    finished: list[str] = []
    sources = Sources(None, repository.dist)
    together = render_clusters(files, sources, finished.append)
    assert sorted(finished) == names
    assert [cluster.record.cluster for cluster in together] == names
    assert together[:2] == render_clusters(files[:2], sources, lambda _: None)


@pytest.mark.parametrize("clusters", [2, 3])
def test_faults_of_all_clusters_come_together(repository: Repository, clusters: int) -> None:
    for number in range(clusters):
        repository.write(f"lab-{number}", gpus=1000)
    files = sorted(repository.clusters.glob("*.yaml"))
    with pytest.raises(SpecError) as refused:
        render_clusters(files, Sources(None, repository.dist), lambda _: None)
    assert [fault.mark.file for fault in refused.value.faults] == [str(file) for file in files]


def test_what_another_machine_renders_is_what_is_committed(tmp_path: Path) -> None:
    """Another hash seed, time zone, locale, home and working directory stand for the machine."""
    machine = {"PYTHONHASHSEED": "2", "TZ": "Asia/Tokyo", "LC_ALL": "C", "HOME": str(tmp_path)}
    checked = subprocess.run(
        [sys.executable, "-m", "gpuplane", "-C", str(ROOT), "synth", "--check", "--quiet"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | machine,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stdout) == (0, "")
