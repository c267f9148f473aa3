"""Getting the locked files, from a mirror folder or from the network."""

import hashlib
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Protocol
from urllib.parse import quote
from urllib.request import Request, urlopen

from upstream.error import UpstreamError
from upstream.lock import LockedFile

RAW_FILES = "https://raw.githubusercontent.com"
"""Where GitHub serves a repository's files at a commit."""


class Source(Protocol):
    """Where locked files come from."""

    def read(self, locked: LockedFile) -> bytes:
        """Return the file's bytes, unverified; raise OSError or HTTPException."""


@dataclass(frozen=True, slots=True)
class Mirror:
    """A folder that holds each locked file under its name."""

    directory: Path

    def read(self, locked: LockedFile) -> bytes:
        """Return the file's bytes, unverified; raise OSError."""
        return (self.directory / locked.file).read_bytes()


@dataclass(frozen=True, slots=True)
class Network:
    """The repositories themselves."""

    base: str = RAW_FILES
    timeout_seconds: float = 30.0

    def read(self, locked: LockedFile) -> bytes:
        """Return the file's bytes, unverified; raise OSError or HTTPException."""
        path = quote(f"{locked.repository}/{locked.commit}/{locked.path}")
        request = Request(f"{self.base}/{path}")  # noqa: S310 # base is http(s), set in code
        with urlopen(request, timeout=self.timeout_seconds) as response:  # noqa: S310 # as above
            content: bytes = response.read()
            return content


def fetch(lock: Iterable[LockedFile], destination: Path, source: Source) -> int:
    """Get every locked file into the destination, laid out as a mirror; return how many.

    Everything is read and verified before anything is moved into place. Raises UpstreamError
    naming every missing file and every digest that differs; the destination is then as it was.
    """
    entries = tuple(lock)
    try:
        destination.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=destination) as folder:
            staging = Path(folder)
            faults = [fault for locked in entries if (fault := _stage(locked, staging, source))]
            if faults:
                raise UpstreamError("\n".join(faults))
            for locked in entries:
                _place(staging / locked.file, destination / locked.file)
    except OSError as error:
        raise UpstreamError(f"{destination}: cannot be written: {error}") from error
    return len(entries)


def read_locked(locked: LockedFile, source: Source) -> bytes:
    """Return the verified bytes of one locked file; raise UpstreamError."""
    origin = f"{locked.repository}@{locked.commit}:{locked.path}"
    try:
        content = source.read(locked)
    except (OSError, HTTPException) as error:
        raise UpstreamError(f"{locked.file}: not available ({origin}): {error}") from error
    found = hashlib.sha256(content).hexdigest()
    if found != locked.sha256:
        raise UpstreamError(
            f"{locked.file}: sha256 is {found}; the lock says {locked.sha256} ({origin})"
        )
    return content


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


def _place(file: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    file.replace(target)
