"""A repository that `gpuplane init` wrote installs and renders on a machine with nothing else."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import pytest

from gpus.provider import Provider
from tests.e2e.first_day.first_day import ADDRESS, NewRepository, build, commit, reached_at, run


def _rendered(repository: Path) -> set[str]:
    return {path.name for path in (repository / "dist" / "example").iterdir()}


EXPECTED = {"0.1.0-rc.1", "live-application.yaml", "project.yaml", "root-application.yaml"}


def test_from_a_wheel_it_renders_for_each_provider(
    repositories: Mapping[Provider, NewRepository], wheel: Path
) -> None:
    rendered = {provider: _rendered(each.folder) for provider, each in repositories.items()}
    assert rendered == dict.fromkeys(Provider, EXPECTED)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    file = repositories[Provider.EKS].folder / "requirements" / "gpuplane.txt"
    required = file.read_text(encoding="utf-8")
    assert required == f"./vendor/{wheel.name} --hash=sha256:{digest}\n"


def test_a_wheel_that_was_changed_is_not_installed(gpuplane: Path, tmp_path: Path) -> None:
    repository = tmp_path / "platform"
    run(gpuplane, "init", repository, folder=tmp_path)
    # What is locked is not needed to see it.
    (repository / "requirements" / "platform.txt").write_text("", encoding="utf-8")
    (vendored,) = (repository / "vendor").iterdir()
    vendored.write_bytes(vendored.read_bytes() + b"more")
    with pytest.raises(AssertionError, match="DO NOT MATCH THE HASHES"):
        run("make", "synth", folder=repository)


def test_from_a_commit_it_renders(gpuplane: Path, tmp_path: Path) -> None:
    (sources := tmp_path / "sources").mkdir()
    (unpacked := tmp_path / "unpacked").mkdir()
    made = commit(build("sdist", sources), unpacked)
    repository, source = tmp_path / "platform", f"git+{ADDRESS}@v0.1.0#{made}"
    run(gpuplane, "init", repository, "--from", source, folder=tmp_path)
    (checkout,) = unpacked.iterdir()
    run("make", "synth", folder=repository, **reached_at(checkout))
    assert _rendered(repository) == EXPECTED
