"""What belongs in dist/ for a rendered cluster."""

from pathlib import Path

import pytest

from charts_py.release.release_record import read_record
from charts_py.release.synth import SynthRequest, synthesize
from charts_py.spec.fault import SpecError
from tests.charts_py.release.conftest import Repository


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
    monkeypatch.setattr("charts_py.release.rendered_cluster.tool_version", lambda: "99.0.0")
    assert repository.synth(check=True).is_current
    record = read_record((repository.dist / "lab/1.0.0/release.json").read_bytes())
    assert record.tool_version != "99.0.0"
