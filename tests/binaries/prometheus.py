"""Prometheus and promtool, of this machine or of Debian's package."""

import fcntl
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.binaries.pinned_module import BuildError
from tests.binaries.pinned_program import CACHE

_PACKAGE = "prometheus"
_DOWNLOAD_SECONDS = 600


@dataclass(frozen=True, slots=True)
class PrometheusBinaries:
    """The programs of the package."""

    prometheus: Path
    promtool: Path


def find_prometheus() -> PrometheusBinaries:
    """Return those on PATH, or else those of the package, unpacked once; raise BuildError."""
    found = [shutil.which(name) for name in PrometheusBinaries.__slots__]
    if all(found):
        return PrometheusBinaries(*(Path(each) for each in found if each))
    return _unpacked(CACHE / f"{_PACKAGE}-debian")


def _unpacked(folder: Path) -> PrometheusBinaries:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "usr").is_dir():
            _unpack(folder)
    return PrometheusBinaries(*(folder / "usr/bin" / n for n in PrometheusBinaries.__slots__))


def _unpack(folder: Path) -> None:
    """Download the package as the machine's own sources have it, and unpack it without root."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        _run(place, "apt-get", "download", _PACKAGE)
        (package,) = Path(place).glob("*.deb")
        _run(place, "dpkg-deb", "-x", package.name, "content")
        (Path(place) / "content" / "usr").replace(folder / "usr")


def _run(folder: str, *command: str) -> None:
    advice = f"prometheus and promtool not on PATH: apt-get install {_PACKAGE}"
    try:
        subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_DOWNLOAD_SECONDS,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        raise BuildError(f"{advice}\n{' '.join(command)}: {error.stderr.strip()}") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BuildError(f"{advice}\n{error}") from error
