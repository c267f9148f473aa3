"""What belongs in dist/ for a rendered cluster."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from charts_py.cluster_file.fault import SpecError
from gpuplane.versions.record import digest, read_record, read_record_file
from gpuplane.versions.synth import SynthRequest, synthesize
from tests.gpuplane.versions.conftest import Repository


def test_a_live_version_that_was_never_rendered_is_refused(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write(version="1.0.0")
    repository.synth()
    repository.write(version="1.1.0", live="0.9.0")
    monkeypatch.chdir(repository.directory)
    with pytest.raises(SpecError) as refused:
        synthesize(SynthRequest(Path("clusters"), Path("dist")))
    assert str(refused.value) == (
        'clusters/lab.yaml:5: live: version "0.9.0" is not in dist/lab (git restores one that '
        "was); allowed: 1.0.0, 1.1.0"
    )


def test_a_newer_tool_that_renders_the_same_objects_leaves_the_record(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.release()
    monkeypatch.setattr("gpuplane.versions.rendering.tool_version", lambda: "99.0.0")
    assert repository.synth(check=True).is_current
    record = read_record((repository.dist / "lab/1.0.0/release.json").read_bytes())
    assert record.tool_version != "99.0.0"


def test_a_live_version_that_is_neither_rendered_nor_merged_is_refused(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.release()
    _write_by_hand(repository, "1.0.1")
    repository.write(version="1.1.0", live="1.0.1")
    monkeypatch.chdir(repository.directory)
    with pytest.raises(SpecError) as refused:
        synthesize(SynthRequest(Path("clusters"), Path("dist")))
    assert str(refused.value) == (
        'clusters/lab.yaml:5: live: version "1.0.1" is neither what this file renders nor as on '
        "main; allowed: the version of this file, or one that is merged, and as it was"
    )
    repository.commit()
    assert not synthesize(SynthRequest(Path("clusters"), Path("dist"))).tampered


@pytest.mark.parametrize("version", ["1.0.0-rc.1", "1.0.0"])
def test_a_live_version_that_came_back_otherwise_is_refused(
    repository: Repository, version: str
) -> None:
    repository.write(version=version)
    repository.synth()
    repository.commit()
    shutil.rmtree(repository.dist / "lab" / version)
    repository.write(version="2.0.0")
    repository.synth()
    repository.commit()
    repository.git("checkout", "main~1", "--", f"dist/lab/{version}")
    repository.write(version="2.0.0", live=version)
    repository.synth()
    _write_by_hand(repository, version)
    with pytest.raises(SpecError, match="is neither what this file renders nor as on main"):
        repository.synth()


def _write_by_hand(repository: Repository, version: str) -> None:
    """Write a version that fits its record, and which no cluster file renders."""
    content = b"apiVersion: v1\nkind: Namespace\nmetadata: {name: backdoor}\n"
    folder = repository.dist / "lab" / version
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "namespaces").mkdir(parents=True)
    (folder / "namespaces" / "Namespace.backdoor.yaml").write_bytes(content)
    rendered = next(repository.dist.glob("lab/*/release.json"))
    files = {"namespaces/Namespace.backdoor.yaml": digest(content)}
    record = replace(read_record_file(rendered), version=version, files=files)
    (folder / "release.json").write_bytes(record.to_json())
