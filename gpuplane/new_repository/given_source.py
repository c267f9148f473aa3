"""Reading what `gpuplane init --from` is given."""

import re
from pathlib import Path
from urllib.parse import SplitResult, urlsplit, urlunsplit

from gpuplane.new_repository.source import Source, git_commit, wheel_at
from gpuplane.new_repository.source_error import SourceError
from gpuplane.new_repository.wheel_file import check_wheel_name, wheel_file, wheel_of_checkout

ALLOWED = (
    "the path of a wheel or of a checkout, https://HOST/WHEEL#sha256=DIGEST, "
    "git+https://HOST/REPOSITORY@COMMIT, or git+https://HOST/REPOSITORY@TAG#COMMIT"
)

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def given_source(text: str) -> Source:
    """Read a source; raise SourceError for one that does not say its content."""
    scheme, separator, _ = text.partition("://")
    if not separator:
        return _of_path(Path(text))
    if scheme == "https":
        return _of_address(text)
    if scheme in {"git+https", "git+ssh"}:
        return _of_git(text)
    raise SourceError(f'{text}: unknown scheme "{scheme}"; allowed: {ALLOWED}')


def _of_path(path: Path) -> Source:
    if path.is_dir():
        return wheel_of_checkout(path)
    if path.is_file():
        return wheel_file(path)
    raise SourceError(f"{path}: does not exist; allowed: {ALLOWED}")


def _of_address(text: str) -> Source:
    parts = _split(text)
    name, _, digest = parts.fragment.partition("=")
    if name != "sha256" or not _SHA256.fullmatch(digest):
        raise SourceError(f"{text}: does not end with the digest; allowed: #sha256= and 64 digits")
    check_wheel_name(text, Path(parts.path).name)
    return wheel_at(urlunsplit(parts._replace(fragment="")), digest)


def _of_git(text: str) -> Source:
    parts = _split(text.removeprefix("git+"))
    path, _, reference = parts.path.rpartition("@")
    commit, tag = (parts.fragment, reference) if parts.fragment else (reference, None)
    if not path or not _COMMIT.fullmatch(commit):
        raise SourceError(
            f"{text}: names no full commit, and a tag or branch can be moved; allowed: {ALLOWED}"
        )
    return git_commit(urlunsplit(parts._replace(path=path, fragment="")), commit, tag)


def _split(address: str) -> SplitResult:
    """Split an address; raise SourceError for one with credentials, which would stand in git."""
    parts = urlsplit(address)
    if parts.password or (parts.username and parts.scheme == "https"):
        shown = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        raise SourceError(
            f"{shown}: came with credentials, which would stand in the repository; leave them to "
            "git's credential helper, or to ~/.netrc"
        )
    return parts
