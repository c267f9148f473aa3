"""What `gpuplane init --from` takes, and what it refuses."""

import re
from pathlib import Path

import pytest

from gpuplane.new_repository.given_source import ALLOWED, given_source
from gpuplane.new_repository.source import Source, git_commit, wheel_at
from gpuplane.new_repository.source_error import SourceError
from gpuplane.new_repository.wheel_file import wheel_name

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
    with pytest.raises(SourceError, match=f"^{re.escape(message)}$"):
        given_source(text)


def test_a_file_that_is_no_wheel_is_refused(tmp_path: Path) -> None:
    file = tmp_path / wheel_name()
    file.write_text("no wheel", encoding="utf-8")
    with pytest.raises(SourceError, match=r"is no wheel: it has no gpuplane-.*METADATA"):
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
    with pytest.raises(SourceError, match=message):
        given_source(str(tmp_path))
