"""Getting the locked files, from a mirror folder or from the network, and charts made of them."""

import hashlib
import shlex
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

import yaml

from upstream.lock import LockedFile, UpstreamError, committed_lock, locked_chart

_CHARTS = "charts"
"""The folder of charts in a mirror."""
_MANIFESTS = ("crds/trainer-1.9.4",)
"""Folders of objects that no chart brings, which are rendered beside charts."""
RAW_FILES = "https://raw.githubusercontent.com"
"""GitHub serves a repository's files at a commit there."""


class Source(Protocol):
    """A source of locked files."""

    def check(self, lock: Sequence[LockedFile]) -> None:
        """Raise UpstreamError where it has none of these files, so that this is reported once."""

    def place(self, locked: LockedFile) -> str:
        """Return how messages name the file."""

    def read(self, locked: LockedFile) -> bytes:
        """Return the file's bytes, unverified; raise OSError or HTTPException."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """A folder that holds each locked file under its name."""

    directory: Path

    def check(self, lock: Sequence[LockedFile]) -> None:
        if not self.directory.is_dir():
            what = "is a file; allowed: a folder" if self.directory.exists() else "no such folder"
            raise UpstreamError(f"{self.directory}: {what}")
        if not any((self.directory / locked.file).exists() for locked in lock):
            raise UpstreamError(f"{self.directory}: has none of the {len(lock)} pinned files")

    def place(self, locked: LockedFile) -> str:
        return str(self.directory / locked.file)

    def read(self, locked: LockedFile) -> bytes:
        return (self.directory / locked.file).read_bytes()


@dataclass(frozen=True, slots=True)
class Network:
    """The repositories themselves."""

    base: str = RAW_FILES
    timeout_seconds: float = 30.0

    def check(self, lock: Sequence[LockedFile]) -> None:
        try:
            self._read(lock[0], "HEAD")
        except HTTPError:
            return
        except (OSError, HTTPException) as error:
            reason = f"cannot be reached: {_reason(error)}; allowed: a folder, by --mirror"
            raise UpstreamError(f"{self.base}: {reason}") from error

    def place(self, locked: LockedFile) -> str:
        return locked.file

    def read(self, locked: LockedFile) -> bytes:
        return self._read(locked, "GET")

    def _read(self, locked: LockedFile, method: str) -> bytes:
        path = quote(f"{locked.repository}/{locked.commit}/{locked.path}")
        url = f"{self.base}/{path}"
        request = Request(url, method=method)  # noqa: S310 # base is http(s), set in code
        with urlopen(request, timeout=self.timeout_seconds) as response:  # noqa: S310 # as above
            content: bytes = response.read()
            return content


def fetch(lock: Iterable[LockedFile], destination: Path, source: Source) -> int:
    """Get every locked file into the destination, laid out as a mirror; return how many.

    Everything is read and verified before anything is moved into place. Raises UpstreamError
    naming every missing file and every digest that differs; the destination is then as it was.
    """
    entries = tuple(lock)
    source.check(entries)
    if destination.is_file():
        raise UpstreamError(f"{destination}: is a file; allowed: a folder")
    try:
        destination.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=destination) as folder:
            staging = Path(folder)
            faults = [fault for locked in entries if (fault := _stage(locked, staging, source))]
            if faults:
                raise UpstreamError("\n".join(faults))
            for locked in entries:
                target = destination / locked.file
                target.parent.mkdir(parents=True, exist_ok=True)
                (staging / locked.file).replace(target)
    except OSError as error:
        raise UpstreamError(f"{destination}: cannot be written: {_reason(error)}") from error
    return len(entries)


def read_locked(locked: LockedFile, source: Source) -> bytes:
    """Return the verified bytes of one locked file; raise UpstreamError."""
    origin = f"{locked.repository}@{locked.commit}:{locked.path}"
    place = source.place(locked)
    try:
        content = source.read(locked)
    except (OSError, HTTPException) as error:
        raise UpstreamError(f"{place}: not available ({origin}): {_reason(error)}") from error
    found = _digest(content)
    if found == locked.sha256:
        return content
    if _digest(content.replace(b"\r\n", b"\n")) == locked.sha256:
        raise UpstreamError(
            f"{place}: its lines end in CRLF, and those of the pinned file in LF ({origin}); "
            "allowed: in git, -text for it in .gitattributes"
        )
    raise UpstreamError(f"{place}: sha256 is {found}; the lock says {locked.sha256} ({origin})")


def _stage(locked: LockedFile, staging: Path, source: Source) -> str | None:
    """Write a verified file into the staging folder, or return what is wrong with it."""
    try:
        content = read_locked(locked, source)
    except UpstreamError as error:
        return str(error)
    target = staging / locked.file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    return None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _reason(error: Exception) -> object:
    is_answer = isinstance(error, HTTPError)
    inner = error.reason if isinstance(error, URLError) and not is_answer else error
    return getattr(inner, "strerror", None) or inner


def files_of_charts() -> tuple[LockedFile, ...]:
    """Return the pinned files of all charts, and those that are rendered beside them."""
    folders = tuple(f"{folder}/" for folder in (_CHARTS, *_MANIFESTS))
    return tuple(each for each in committed_lock() if each.file.startswith(folders))


def write_chart(chart: str, mirror: Path, target: Path, *, is_released: bool = True) -> Path:
    """Write the pinned files of a chart below a folder, and return the folder of the chart.

    One that is released has the versions with which its project publishes it; else those in git.
    Raises UpstreamError where the mirror lacks it, and for every file that is not the pinned one.
    """
    pinned = locked_chart(chart)
    own = tuple(each for each in files_of_charts() if each.file.startswith(f"{pinned.folder}/"))
    if mirror.is_dir() and not (mirror / pinned.file).is_file():
        lacks = f"{mirror}: has no chart {chart} {pinned.chart_version}"
        raise UpstreamError(f"{lacks}; {_remedy(mirror)}")
    try:
        fetch(own, target, Mirror(mirror))
    except UpstreamError as error:
        after = "\n" if "\n" in str(error) else "; "
        raise UpstreamError(f"{error}{after}{_remedy(mirror)}") from error
    if is_released:
        _release(target / pinned.file, pinned.chart_version, pinned.app_version)
    return target / pinned.folder


def _remedy(mirror: Path) -> str:
    folder = "FOLDER" if mirror.is_file() else shlex.quote(str(mirror))
    command = f"gpuplane upstream fetch --network --charts --to {folder}"
    return f"get the charts where there is a network: {command}"


def _release(file: Path, version: str, app_version: str | None) -> None:
    """Write the versions into a Chart.yaml, as `helm package` does.

    Helm renders no chart that lacks one on which it depends. Those that are switched off are not
    pinned, so that the chart depends on none of them here.
    """
    described = yaml.load(file.read_bytes(), Loader=yaml.CSafeLoader)
    released = {"version": version, "appVersion": app_version or described.get("appVersion")}
    subcharts = file.parent / "charts"
    depends_on = described.get("dependencies", ())
    brought = [each for each in depends_on if (subcharts / each["name"]).is_dir()]
    changed = {**released, **({"dependencies": brought} if depends_on else {})}
    text = yaml.dump({**described, **changed}, sort_keys=False)
    file.write_text(text, encoding="utf-8")
