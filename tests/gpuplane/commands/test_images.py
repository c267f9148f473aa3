import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.gpuplane.conftest import Run
from tests.gpuplane.versions.rendered_versions import record_files

SAMPLES = Path(__file__).parents[2] / "charts_py" / "samples"
MIRRORS = """
registries:
  docker.io: {mirror: registry.example.com/hub}
  nvcr.io: {mirror: registry.example.com/nvcr}
"""


def _write(folder: Path, sample: str, more: str = "") -> None:
    (folder / "clusters").mkdir(exist_ok=True)
    text = (SAMPLES / f"{sample}.yaml").read_text(encoding="utf-8")
    (folder / "clusters" / "sample.yaml").write_text(text + more, encoding="utf-8")


@pytest.fixture
def rendered(in_repository: Run, tmp_path: Path) -> Run:
    """Return the function that runs `gpuplane` where a cluster with AMD GPUs is rendered."""
    _write(tmp_path, "amd")
    assert in_repository("synth").exit_code == 0
    return in_repository


def _images(run: Run, *arguments: str) -> dict[str, dict[str, Any]]:
    return {image["name"]: image for image in run.report("images", *arguments)["items"]}


def test_every_image_stands_once_sorted_with_who_runs_it(rendered: Run) -> None:
    report = rendered.report("images")
    listed = report.pop("items")
    assert report == {"kind": "ImageList"}
    assert [(each["name"].partition(":")[0], each["usedBy"]) for each in listed] == [
        ("docker.io/library/busybox", ["sample/amd-device-config"]),
        ("docker.io/rocm/amd-gpu-operator", ["sample/amd-gpu-operator"]),
        ("docker.io/rocm/device-metrics-exporter", ["sample/amd-device-config"]),
        ("docker.io/rocm/k8s-device-plugin", ["sample/amd-device-config"]),
        ("docker.io/rocm/k8s-device-plugin", ["sample/amd-device-config"]),
        ("registry.k8s.io/metrics-server/metrics-server", ["sample/metrics-server"]),
        ("registry.k8s.io/nfd/node-feature-discovery", ["sample/amd-gpu-operator"]),
    ]
    assert {(each["mirrored"], each["digest"]) for each in listed} == {(None, None)}
    assert [each for each in listed if each["original"] != each["name"]] == []


def test_a_version_of_before_the_mirrors_is_copied_to_them_already(
    rendered: Run, tmp_path: Path
) -> None:
    before = _images(rendered)["docker.io/library/busybox:1.36"]
    _write(tmp_path, "amd", MIRRORS)
    busybox = _images(rendered, "sample", "1.0.0")["docker.io/library/busybox:1.36"]
    assert busybox == before | {"mirrored": "registry.example.com/hub/library/busybox:1.36"}


def test_the_copies_are_those_that_the_next_version_pulls(rendered: Run, tmp_path: Path) -> None:
    _write(tmp_path, "amd", MIRRORS)
    before = rendered.ended("images", "sample", "1.0.0", "--copy", "crane")
    assert rendered("synth").exit_code == 0
    assert rendered.ended("images", "--copy", "crane") == before
    first, *others = before[1].splitlines()
    assert first == (
        "crane copy docker.io/library/busybox:1.36 registry.example.com/hub/library/busybox:1.36"
    )
    assert len(others) == 4
    assert [line.partition(": ")[2] for line in before[2].splitlines()] == [
        "not copied: registries has no mirror for it"
    ] * 2


def test_a_cluster_file_that_was_edited_since_is_warned_of(rendered: Run, tmp_path: Path) -> None:
    _write(tmp_path, "amd", MIRRORS)
    said = "sample is not rendered as clusters/ has it now: run gpuplane synth sample"
    assert rendered("images").stderr == f"warning: {said}\n"


def test_the_table_says_what_each_is_a_copy_of(in_repository: Run, tmp_path: Path) -> None:
    _write(tmp_path, "amd", MIRRORS)
    assert in_repository("synth").exit_code == 0
    printed = in_repository("images").stdout.splitlines()
    (row,) = (line.split("│")[1:-1] for line in printed if "busybox" in line)
    assert [cell.strip() for cell in row] == [
        "registry.example.com/hub/library/busybox:1.36",
        "docker.io/library/busybox:1.36",
        "sample/amd-device-config",
    ]


def test_drivers_have_an_image_for_each_operating_system(
    in_repository: Run, tmp_path: Path
) -> None:
    _write(tmp_path, "onprem", MIRRORS)
    assert in_repository("synth").exit_code == 0
    driver = "registry.example.com/nvcr/nvidia/driver:595.91.07"
    assert f"{driver}-NODE_OS" in _images(in_repository)
    systems = ("--node-os", "ubuntu24.04", "--node-os", "rhel9")
    named = _images(in_repository, *systems)
    assert [each for each in named if each.startswith(driver)] == [
        f"{driver}-rhel9",
        f"{driver}-ubuntu24.04",
    ]
    assert "--node-os" in in_repository.refused("images", "--copy", "oras")


def test_a_digest_that_a_name_has_is_told(in_repository: Run, tmp_path: Path) -> None:
    digest = f"sha256:{'0' * 64}"
    image = f"registry.example.com/gpuplane-webhook@{digest}"
    _write(tmp_path, "air-gap", f"webhook: {{image: {image}}}\n")
    assert in_repository("synth").exit_code == 0
    named = {"name": image, "original": image, "mirrored": None, "digest": digest}
    assert _images(in_repository)[image] == {**named, "usedBy": ["sample/webhook"]}


def test_what_teams_run_beside_an_inference_pool_is_to_be_mirrored(
    in_repository: Run, tmp_path: Path
) -> None:
    mirror = "registry.example.com/ghcr"
    _write(tmp_path, "serving", f"registries: {{ghcr.io: {{mirror: {mirror}}}}}\n")
    assert in_repository("synth").exit_code == 0
    listed = [one for one in _images(in_repository).values() if "llm-d" in one["name"]]
    names = ("llm-d-router-disagg-sidecar:v0.10.0", "llm-d-router-endpoint-picker:v0.10.0")
    assert listed == [
        {
            "name": f"{mirror}/llm-d/{name}",
            "original": f"ghcr.io/llm-d/{name}",
            "mirrored": f"{mirror}/llm-d/{name}",
            "digest": None,
            "usedBy": ["sample/inference-pools"],
        }
        for name in names
    ]


def test_a_chart_that_is_not_pinned_is_named(rendered: Run, tmp_path: Path) -> None:
    (file,) = tmp_path.glob("dist/sample/*/argocd/Application.sample-metrics-server.yaml")
    application = yaml.safe_load(file.read_text(encoding="utf-8"))
    application["spec"]["source"]["targetRevision"] = "3.0.0"
    file.write_text(yaml.safe_dump(application), encoding="utf-8")
    record_files(file.parents[1])
    result = rendered("images", "-o", "json")
    assert result.exit_code == 3
    assert len(json.loads(result.stdout)["items"]) == 6
    assert result.stderr.startswith(
        "sample-metrics-server: the images of the chart metrics-server 3.0.0 of "
        "https://kubernetes-sigs.github.io/metrics-server/ are not known; known are those of "
    )


def test_a_file_that_gpuplane_did_not_write_is_named(rendered: Run, tmp_path: Path) -> None:
    (file,) = tmp_path.glob("dist/sample/*/argocd/Application.sample-metrics-server.yaml")
    file.write_text("a: &a [*a]\n", encoding="utf-8")
    record_files(file.parents[1])
    assert rendered.refused("images") == (
        f"{file}: not a Kubernetes object: line 1 has the anchor a; "
        "restore it from git, or render it again where it is not released\n"
    )


def test_an_unknown_version_is_wrong_input(rendered: Run) -> None:
    assert 'unknown version "9.0.0" in ' in rendered.refused("images", "9.0.0")


def test_a_version_that_is_not_rendered_is_wrong_input(in_repository: Run, tmp_path: Path) -> None:
    _write(tmp_path, "amd")
    assert in_repository.refused("images") == (
        f"{tmp_path}/clusters/sample.yaml: version 1.0.0 is not in {tmp_path}/dist/sample; "
        "render it first: gpuplane synth sample\n"
    )
