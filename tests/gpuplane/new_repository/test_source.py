"""What `gpuplane init --from` takes, and what it refuses."""

import hashlib
import json
import re
import zipfile
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path
from typing import Any

import pytest

from charts_py.platform.tool_version import tool_version
from gpuplane.new_repository.source import (
    ALLOWED,
    InitError,
    Source,
    git_commit,
    given_source,
    installed_source,
    vendored_wheel,
    wheel_at,
    wheel_name,
)
from tests.gpuplane.messages import message_of

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DIGEST = "ab" * 32
WHEEL = f"https://example.com/{wheel_name()}"
TAKEN = {
    f"{WHEEL}#sha256={DIGEST}": wheel_at(WHEEL, DIGEST),
    f"git+https://example.com/a.git@{COMMIT}": git_commit("https://example.com/a.git", COMMIT),
    f"git+https://example.com/a.git@v1#{COMMIT}": git_commit(
        "https://example.com/a.git", COMMIT, "v1"
    ),
    f"git+ssh://git@example.com/a.git@{COMMIT}": git_commit("ssh://git@example.com/a.git", COMMIT),
}
_NO_COMMIT = f"names no full commit, and a tag or branch can be moved; allowed: {ALLOWED}"
_CREDENTIALS = (
    "came with credentials, which would stand in the repository; leave them to git's credential "
    "helper, or to ~/.netrc"
)
_NO_DIGEST = "does not end with the digest; allowed: #sha256= and 64 digits"
REFUSED = {
    "git+https://example.com/a.git": f"git+https://example.com/a.git: {_NO_COMMIT}",
    "git+https://example.com/a.git@v1": f"git+https://example.com/a.git@v1: {_NO_COMMIT}",
    "git+https://example.com/a.git@0123456": f"git+https://example.com/a.git@0123456: {_NO_COMMIT}",
    "git+https://example.com/a.git@v1#main": f"git+https://example.com/a.git@v1#main: {_NO_COMMIT}",
    f"git+https://me:secret@example.com/a.git@{COMMIT}": (
        f"https://example.com/a.git@{COMMIT}: {_CREDENTIALS}"
    ),
    f"https://token@example.com/{wheel_name()}": f"{WHEEL}: {_CREDENTIALS}",
    WHEEL: f"{WHEEL}: {_NO_DIGEST}",
    f"{WHEEL}#sha256=ab": f"{WHEEL}#sha256=ab: {_NO_DIGEST}",
    f"https://example.com/a.whl#sha256={DIGEST}": (
        f'https://example.com/a.whl#sha256={DIGEST}: "a.whl" is not a wheel of the running '
        f"gpuplane; allowed: {wheel_name()}"
    ),
    f"http://example.com/{wheel_name()}": (
        f'http://example.com/{wheel_name()}: unknown scheme "http"; allowed: {ALLOWED}'
    ),
    "gpuplane==0.1.0": f"gpuplane==0.1.0: does not exist; allowed: {ALLOWED}",
}


@pytest.mark.parametrize(("text", "source"), TAKEN.items())
def test_a_source_that_says_its_content_is_taken(text: str, source: Source) -> None:
    assert given_source(text) == source


@pytest.mark.parametrize(("text", "message"), REFUSED.items())
def test_any_other_is_refused(text: str, message: str) -> None:
    with pytest.raises(InitError, match=f"^{re.escape(message)}$"):
        given_source(text)


def test_a_file_that_is_no_wheel_is_refused(tmp_path: Path) -> None:
    file = tmp_path / wheel_name()
    file.write_text("no wheel", encoding="utf-8")
    with pytest.raises(InitError, match=r"is no wheel: it has no gpuplane-.*METADATA"):
        given_source(str(file))


@pytest.mark.parametrize(
    ("project", "message"),
    [
        (None, r"is no checkout of gpuplane: no project in .*/pyproject\.toml$"),
        ("[project]\n", r"is no checkout of gpuplane: no project in .*/pyproject\.toml$"),
        ("[project]\nname = 'other'\n", r'is no checkout of gpuplane: .* is of "other"$'),
        ("[project]\nname = 'gpuplane'\n", "no wheel can be built of it: "),
    ],
)
def test_a_folder_that_is_no_checkout_is_refused(
    project: str | None, message: str, tmp_path: Path
) -> None:
    if project is not None:
        (tmp_path / "pyproject.toml").write_text(project, encoding="utf-8")
    with pytest.raises(InitError, match=message):
        given_source(str(tmp_path))


ROOT = Path(__file__).parents[3]
WAY_OUT = "name it by --from, as `gpuplane help init` says"


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
    return message_of(InitError, installed_source, _installed(folder, written))


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
