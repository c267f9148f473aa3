"""Where the gpuplane that runs was installed from."""

import hashlib
import json
import re
import zipfile
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path
from typing import Any

import pytest

from charts_py.platform.tool_version import tool_version
from gpuplane.new_repository.installed_source import installed_source
from gpuplane.new_repository.source import git_commit, vendored_wheel, wheel_at
from gpuplane.new_repository.source_error import SourceError
from gpuplane.new_repository.wheel_file import wheel_name

ROOT = Path(__file__).parents[3]
COMMIT = "0123456789abcdef0123456789abcdef01234567"
WAY_OUT = "name it by --from, as `gpuplane init --help` says"


def _installed(folder: Path, written: dict[str, Any] | None) -> Distribution:
    """Return a distribution whose installer wrote this down."""
    metadata = folder / "gpuplane-0.dist-info"
    metadata.mkdir()
    if written is not None:
        (metadata / "direct_url.json").write_text(json.dumps(written), encoding="utf-8")
    return PathDistribution(metadata)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """Return what looks like a wheel of this version."""
    file = tmp_path / wheel_name()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"gpuplane-{tool_version()}.dist-info/METADATA", "")
    return file


def test_a_commit_is_taken(tmp_path: Path) -> None:
    git = {"vcs": "git", "requested_revision": "main", "commit_id": COMMIT}
    written = {"url": "https://example.com/a.git", "vcs_info": git}
    expected = git_commit("https://example.com/a.git", COMMIT)
    assert installed_source(_installed(tmp_path, written)) == expected


def test_an_address_is_taken_with_its_digest(tmp_path: Path) -> None:
    url, digest = f"https://example.com/{wheel_name()}", "ab" * 32
    written = {"url": url, "archive_info": {"hashes": {"sha256": digest}}}
    assert installed_source(_installed(tmp_path, written)) == wheel_at(url, digest)


@pytest.mark.parametrize("form", ["hashes", "hash", "none"])
def test_a_wheel_is_taken_along(form: str, wheel: Path, tmp_path: Path) -> None:
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    archives: dict[str, dict[str, Any]] = {
        "hashes": {"hashes": {"sha256": digest}},
        "hash": {"hash": f"sha256={digest}"},
        "none": {},
    }
    written = {"url": wheel.as_uri(), "archive_info": archives[form]}
    expected = vendored_wheel(wheel.name, wheel.read_bytes())
    assert installed_source(_installed(tmp_path, written)) == expected


def test_of_a_checkout_a_wheel_is_built_the_same_each_time(tmp_path: Path) -> None:
    written = {"url": ROOT.as_uri(), "dir_info": {"editable": True}}
    installed = _installed(tmp_path, written)
    source = installed_source(installed)
    assert [*source.files] == [f"vendor/{wheel_name()}"]
    assert installed_source(installed) == source


def _refused(folder: Path, written: dict[str, Any] | None) -> str:
    with pytest.raises(SourceError) as error:
        installed_source(_installed(folder, written))
    return str(error.value)


def test_what_came_from_a_package_index_has_to_be_named(tmp_path: Path) -> None:
    expected = f"it is not known where this gpuplane was installed from; {WAY_OUT}"
    assert _refused(tmp_path, None) == expected


def test_a_wheel_that_is_gone_has_to_be_named(tmp_path: Path) -> None:
    gone = tmp_path / "gone" / wheel_name()
    expected = f"{gone}, which this gpuplane was installed from, is gone; {WAY_OUT}"
    assert _refused(tmp_path, {"url": gone.as_uri(), "archive_info": {}}) == expected


def test_a_wheel_that_was_replaced_is_not_taken(wheel: Path, tmp_path: Path) -> None:
    archive = {"hashes": {"sha256": "ab" * 32}}
    expected = f"{wheel} is another than this gpuplane was installed from; {WAY_OUT}"
    assert _refused(tmp_path, {"url": wheel.as_uri(), "archive_info": archive}) == expected


def test_a_commit_that_only_this_machine_has_is_not_taken(tmp_path: Path) -> None:
    git = {"vcs": "git", "commit_id": COMMIT}
    refused = _refused(tmp_path, {"url": "file:///a.git", "vcs_info": git})
    assert re.fullmatch(f"this gpuplane is of file:///a.git, .* {WAY_OUT}", refused)
