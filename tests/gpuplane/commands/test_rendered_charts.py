"""What the commands make of a cluster whose charts are rendered."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.binaries.pinned_program import HELM
from tests.gpuplane.conftest import Run

SAMPLE = Path(__file__).parents[2] / "charts_py" / "samples" / "nvl72.yaml"
SETTINGS = """\
driver: {owner: operator}
webhook: {image: "registry.example.com/platform/gpuplane-webhook:0.1.0"}
"""
GITOPS = "gitops: {repository: https://github.com/example/platform.git"


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    file = tmp_path / "clusters" / "sample.yaml"
    file.parent.mkdir()
    file.write_text(SAMPLE.read_text("utf-8") + SETTINGS, encoding="utf-8")
    return file


def _render_charts(cluster: Path) -> None:
    text = cluster.read_text("utf-8")
    cluster.write_text(text.replace(GITOPS, f"{GITOPS}, charts: rendered"), encoding="utf-8")


@pytest.mark.skipif(
    "GPUPLANE_MIRROR" not in os.environ,
    reason="GPUPLANE_MIRROR names no folder with upstream files",
)
def test_they_see_the_objects_of_charts(
    in_repository: Run, cluster: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join([str(HELM.build().parent), os.environ["PATH"]]))
    assert in_repository("synth").exit_code == 0
    before = _images(in_repository)
    _render_charts(cluster)
    assert in_repository("synth").exit_code == 0
    kinds = {each["kind"] for each in in_repository.report("validate")["kinds"]}
    assert {"ClusterPolicy", "CustomResourceDefinition", "DeviceClass"} <= kinds
    assert _images(in_repository) == before
    assert "nvcr.io/nvidia/driver:595.91.07-NODE_OS" in before


def _images(run: Run) -> dict[str, Any]:
    listed = run.report("images")["items"]
    return {image["name"]: image["usedBy"] for image in listed}


def test_without_helm_nothing_is_written(
    in_repository: Run, cluster: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _render_charts(cluster)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert in_repository.refused("synth", "--mirror", tmp_path, code=3) == (
        "helm is not on PATH; gitops.charts: rendered needs Helm 4 on PATH: "
        "https://helm.sh/docs/intro/install/\n"
    )
    assert not (tmp_path / "dist").exists()


def test_without_charts_it_is_told_where_they_are_looked_for(
    in_repository: Run, cluster: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _render_charts(cluster)
    monkeypatch.delenv("GPUPLANE_MIRROR", raising=False)
    monkeypatch.setenv("PATH", os.pathsep.join([str(HELM.build().parent), os.environ["PATH"]]))
    assert in_repository.refused("synth", code=3) == (
        f"{tmp_path}/.tools/upstream: no such folder; get the charts where there is a network: "
        f"gpuplane upstream fetch --network --charts --to {tmp_path}/.tools/upstream\n"
    )
