"""Where a new repository gets gpuplane from: from `--from`, or from where this one came.

Never by its name alone: whoever publishes that name in a package index would be installed.
Installers write down what they installed, unless a package index was asked
(https://packaging.python.org/en/latest/specifications/direct-url/).
"""

import hashlib
import json
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit, urlunsplit
from urllib.request import url2pathname

from charts_py.platform.tool_version import tool_version

ALLOWED = (
    "the path of a wheel or of a checkout, https://HOST/WHEEL#sha256=DIGEST, "
    "git+https://HOST/REPOSITORY@COMMIT, or git+https://HOST/REPOSITORY@TAG#COMMIT"
)
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
WHEEL_FOLDER = "vendor"
"""Folder of a repository that holds the wheel, where it has one."""


class InitError(Exception):
    """Why no repository can stand there, or get gpuplane from there; it says what is allowed."""


@dataclass(frozen=True, slots=True)
class Source:
    """One content of gpuplane, and no other that may stand there later."""

    requirement: str
    """What pip installs: a requirement with a sha256, or with a commit of git."""
    description: str
    """The same for people, as the end of a sentence."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """What the repository itself holds of it: content by path."""


def vendored_wheel(name: str, content: bytes) -> Source:
    """Return a wheel that the repository holds, called `name`."""
    path, sha256 = f"{WHEEL_FOLDER}/{name}", hashlib.sha256(content).hexdigest()
    return Source(
        requirement=f"./{path} --hash=sha256:{sha256}",
        description=f"the wheel `{path}` in this repository, if its sha256 is `{sha256}`",
        files={path: content},
    )


def wheel_at(address: str, sha256: str) -> Source:
    return Source(
        requirement=f"gpuplane @ {address} --hash=sha256:{sha256}",
        description=f"<{address}>, if its sha256 is `{sha256}`",
    )


def git_commit(repository: str, commit: str, tag: str | None = None) -> Source:
    """Return a commit of a repository; the tag that it had is for people alone."""
    comment = f"# {tag}\n" if tag else ""
    called = f", which was called `{tag}`," if tag else ""
    return Source(
        requirement=f"{comment}gpuplane @ git+{repository}@{commit}",
        description=f"the commit `{commit}`{called} of <{repository}>",
    )


def wheel_name() -> str:
    return f"gpuplane-{tool_version()}-py3-none-any.whl"


def check_wheel_name(place: str, name: str) -> None:
    """Raise InitError for a wheel of anything else, or of another version.

    The files of a new repository are of the version that writes them.
    """
    if name != wheel_name():
        raise InitError(
            f'{place}: "{name}" is not a wheel of the running gpuplane; allowed: {wheel_name()}'
        )


def wheel_file(file: Path) -> Source:
    check_wheel_name(str(file), file.name)
    metadata = f"gpuplane-{tool_version()}.dist-info/METADATA"
    try:
        with zipfile.ZipFile(file) as wheel:
            wheel.getinfo(metadata)
    except (zipfile.BadZipFile, KeyError) as error:
        message = f"{file}: is no wheel: it has no {metadata}; `make wheel` in a checkout makes one"
        raise InitError(message) from error
    return vendored_wheel(file.name, file.read_bytes())


def wheel_of_checkout(checkout: Path) -> Source:
    _check_checkout(checkout)
    if find_spec("hatchling") is None:
        raise InitError(
            f"{checkout}: a wheel of it cannot be built, since hatchling is not installed here; "
            "run `make wheel` there, and name the wheel by --from"
        )
    with tempfile.TemporaryDirectory() as folder:
        command = (sys.executable, "-m", "hatchling", "build", "--target", "wheel")
        done = subprocess.run(  # noqa: S603 # builds the checkout that the user names
            [*command, "--directory", folder],
            cwd=checkout,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise InitError(f"{checkout}: no wheel can be built of it: {done.stderr.strip()}")
        return wheel_file(next(Path(folder).glob("*.whl")))


def _check_checkout(folder: Path) -> None:
    file = folder / "pyproject.toml"
    try:
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]["name"]
    except (OSError, KeyError, ValueError) as error:
        raise InitError(f"{folder}: is no checkout of gpuplane: no project in {file}") from error
    if project != "gpuplane":
        raise InitError(f'{folder}: is no checkout of gpuplane: {file} is of "{project}"')


def given_source(text: str) -> Source:
    """Read a source; raise InitError for one that does not say its content."""
    scheme, separator, _ = text.partition("://")
    path = Path(text)
    if not separator and path.is_dir():
        return wheel_of_checkout(path)
    if not separator and path.is_file():
        return wheel_file(path)
    if not separator:
        raise InitError(f"{path}: does not exist; allowed: {ALLOWED}")
    if scheme == "https":
        return _of_address(text)
    if scheme in {"git+https", "git+ssh"}:
        return _of_git(text)
    raise InitError(f'{text}: unknown scheme "{scheme}"; allowed: {ALLOWED}')


def _of_address(text: str) -> Source:
    parts = _split(text)
    name, _, digest = parts.fragment.partition("=")
    if name != "sha256" or not _SHA256.fullmatch(digest):
        raise InitError(f"{text}: does not end with the digest; allowed: #sha256= and 64 digits")
    check_wheel_name(text, Path(parts.path).name)
    return wheel_at(urlunsplit(parts._replace(fragment="")), digest)


def _of_git(text: str) -> Source:
    parts = _split(text.removeprefix("git+"))
    path, _, reference = parts.path.rpartition("@")
    commit, tag = (parts.fragment, reference) if parts.fragment else (reference, None)
    if not path or not _COMMIT.fullmatch(commit):
        raise InitError(
            f"{text}: names no full commit, and a tag or branch can be moved; allowed: {ALLOWED}"
        )
    return git_commit(urlunsplit(parts._replace(path=path, fragment="")), commit, tag)


def _split(address: str) -> SplitResult:
    """Split an address; raise InitError for one with credentials, which would stand in git."""
    parts = urlsplit(address)
    if parts.password or (parts.username and parts.scheme == "https"):
        shown = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        raise InitError(
            f"{shown}: came with credentials, which would stand in the repository; leave them to "
            "git's credential helper, or to ~/.netrc"
        )
    return parts


def installed_source(installed: Distribution) -> Source:
    match json.loads(installed.read_text("direct_url.json") or "{}"):
        case {"url": str(url), "dir_info": _}:
            return wheel_of_checkout(_existing(url))
        case {"url": str(url), "vcs_info": {"vcs": "git", "commit_id": str(commit)}}:
            if urlsplit(url).scheme == "file":
                raise _unknown(f"this gpuplane is of {url}, which others cannot reach")
            return git_commit(url, commit)
        case {"url": str(url), "archive_info": archive} if url.startswith("file:"):
            file, sha256 = _existing(url), _sha256(archive)
            if sha256 and hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
                raise _unknown(f"{file} is another than this gpuplane was installed from")
            return wheel_file(file)
        case {"url": str(url), "archive_info": archive}:
            return given_source(f"{url}#sha256={_sha256(archive)}")
        case _:
            raise _unknown("it is not known where this gpuplane was installed from")


def _sha256(archive: Mapping[str, Any]) -> str:
    """Return the digest of an archive, empty where the installer wrote none."""
    old_form = str(archive.get("hash", ""))
    return str(archive.get("hashes", {}).get("sha256", old_form.removeprefix("sha256=")))


def _existing(url: str) -> Path:
    path = Path(url2pathname(urlsplit(url).path))
    if not path.exists():
        raise _unknown(f"{path}, which this gpuplane was installed from, is gone")
    return path


def _unknown(what: str) -> InitError:
    return InitError(f"{what}; name it by --from, as `gpuplane help init` says")
