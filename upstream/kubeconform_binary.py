"""Finding kubeconform, or building it where it is missing."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from upstream.error import UpstreamError
from upstream.go_toolchain import GoError, GoProgram

VERSION = (0, 7, 0)
"""The pinned version of kubeconform; a newer one on PATH works as well."""

RELEASES = "https://github.com/yannh/kubeconform/releases"

MODULE = "github.com/yannh/kubeconform/cmd/kubeconform"


def find_kubeconform() -> Path:
    """Return a kubeconform of the pinned version or newer; raise UpstreamError.

    The one on PATH is used where it reports its version (one built by `go install` reports none).
    Otherwise it is the one in `.tools/bin` of the working directory or in
    `$XDG_CACHE_HOME/gpuplane/bin`, and is built there first, in about half a minute.
    """
    if (found := _on_path()) is not None:
        return found
    for folder in _folders():
        if (folder / _file_name()).is_file():
            return (folder / _file_name()).resolve()
    return _build(next(_folders()) / _file_name())


def parse_version(text: str) -> tuple[int, ...] | None:
    """Return the version that `kubeconform -v` prints; None for a build without one."""
    match = re.fullmatch(r"v?(\d+)\.(\d+)\.(\d+)\S*", text.strip())
    return tuple(int(part) for part in match.groups()) if match else None


def _on_path() -> Path | None:
    found = shutil.which("kubeconform")
    if found is None:
        return None
    try:
        output = subprocess.run(  # noqa: S603 # no shell; the program that PATH names
            [found, "-v"], capture_output=True, text=True, timeout=30, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = parse_version(output)
    return Path(found) if version is not None and version >= VERSION else None


def _folders() -> Iterator[Path]:
    """Yield where a built kubeconform may be; it is built in the first."""
    tools = Path.cwd() / ".tools"
    if tools.is_dir():
        yield tools / "bin"
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    yield Path(cache) / "gpuplane" / "bin"


def _file_name() -> str:
    return f"kubeconform-{_version()}"


def _version() -> str:
    return "v" + ".".join(str(part) for part in VERSION)


def _build(target: Path) -> Path:
    announcement = (
        f"building kubeconform {_version()}, which is not on PATH: its sources are downloaded from "
        "Go's module proxy (about half a minute)"
    )
    try:
        GoProgram(f"{MODULE}@{_version()}", announcement).build(target)
    except GoError as error:
        raise UpstreamError(
            f"kubeconform {_version()} or newer is not on PATH, and cannot be built:\n{error}\n"
            "A build needs Go and its module proxy, the public one unless GOPROXY names another. "
            f"Without them, put a kubeconform of {RELEASES} on PATH."
        ) from error
    return target
