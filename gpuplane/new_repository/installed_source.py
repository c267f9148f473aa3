"""Where the gpuplane that runs was installed from.

Installers write that down, unless a package index was asked:
https://packaging.python.org/en/latest/specifications/direct-url/
"""

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from gpuplane.new_repository.given_source import given_source
from gpuplane.new_repository.source import Source, git_commit
from gpuplane.new_repository.source_error import SourceError
from gpuplane.new_repository.wheel_file import wheel_file, wheel_of_checkout


def installed_source(installed: Distribution) -> Source:
    """Return where an installed gpuplane came from; raise SourceError where that is not known."""
    match json.loads(installed.read_text("direct_url.json") or "{}"):
        case {"url": str(url), "dir_info": _}:
            return wheel_of_checkout(_existing(url))
        case {"url": str(url), "vcs_info": {"vcs": "git", "commit_id": str(commit)}}:
            return _same_commit(url, commit)
        case {"url": str(url), "archive_info": archive} if url.startswith("file:"):
            return _same_wheel(_existing(url), _sha256(archive))
        case {"url": str(url), "archive_info": archive}:
            return given_source(f"{url}#sha256={_sha256(archive)}")
        case _:
            raise _unknown("it is not known where this gpuplane was installed from")


def _same_commit(url: str, commit: str) -> Source:
    if urlsplit(url).scheme == "file":
        raise _unknown(f"this gpuplane is of {url}, which others cannot reach")
    return git_commit(url, commit)


def _same_wheel(file: Path, sha256: str) -> Source:
    if sha256 and hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
        raise _unknown(f"{file} is another than this gpuplane was installed from")
    return wheel_file(file)


def _sha256(archive: Mapping[str, Any]) -> str:
    """Return the digest of an archive, empty where the installer wrote none."""
    old_form = str(archive.get("hash", ""))
    return str(archive.get("hashes", {}).get("sha256", old_form.removeprefix("sha256=")))


def _existing(url: str) -> Path:
    path = Path(url2pathname(urlsplit(url).path))
    if not path.exists():
        raise _unknown(f"{path}, which this gpuplane was installed from, is gone")
    return path


def _unknown(what: str) -> SourceError:
    return SourceError(f"{what}; name it by --from, as `gpuplane init --help` says")
