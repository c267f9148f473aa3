"""The folder that keeps findings, by digests of everything that they follow from."""

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

VARIABLE = "GPUPLANE_CACHE"
"""Names another folder than the one of the user's own caches."""
_PACKAGES = Path(__file__).parents[2]
_SOURCES = (
    "charts_py",
    "culling",
    "gpuplane/admission",
    "gpuplane/lint",
    "gpuplane/workloads",
    "gpus",
    "policies",
    "repair",
    "rounds",
    "upstream",
)
"""Settings and findings follow from these folders."""
_LIBRARIES = ("cel_expr_python", "jsonpointer", "msgspec", "pydantic", "yaml")
_MAX_AGE_SECONDS = 14 * 86_400
"""A folder that nobody has used for as long is removed."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
"""The name of a folder of ours: the cache may share a folder that the user names with others."""


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the folder; None where there is no home to have one.

    https://specifications.freedesktop.org/basedir-spec/latest/
    """
    if named := environment.get(VARIABLE):
        return Path(named) / "lint"
    if caches := environment.get("XDG_CACHE_HOME"):
        return Path(caches) / "gpuplane" / "lint"
    home = environment.get("HOME")
    return Path(home) / ".cache" / "gpuplane" / "lint" if home else None


@dataclass(frozen=True, slots=True)
class CacheStore:
    """Texts by their keys; a text that cannot be read or kept is missing.

    Each stands below its digest, so that half of one, or what another program wrote, counts as
    missing.
    """

    folder: Path | None
    """None keeps nothing."""

    def below(self, key: str) -> "CacheStore":
        """Return the store of texts that follow from another key, too."""
        return CacheStore(None if self.folder is None else self.folder / key)

    def read(self, key: str) -> str | None:
        if self.folder is None:
            return None
        file = self.folder / key
        try:
            # Opening a named pipe would wait for somebody to write.
            kept = file.read_text(encoding="utf-8") if file.is_file() else ""
        except (OSError, UnicodeDecodeError):
            return None
        written, _, text = kept.partition("\n")
        return text if written == digest(text) else None

    def write(self, key: str, text: str) -> None:
        """Keep the text of a key; another run sees all of it or nothing."""
        if self.folder is None:
            return
        half = self.folder / f".{key}-{os.getpid()}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Never through a link that somebody else has put there.
            with half.open("x", encoding="utf-8") as file:
                file.write(f"{digest(text)}\n{text}")
            half.replace(self.folder / key)
        except OSError:
            return

    def mark_used(self) -> None:
        """Mark the folder as used, and remove the folders beside it that nobody uses."""
        if self.folder is None or not self.folder.is_dir():
            return
        try:
            os.utime(self.folder)
            oldest = time.time() - _MAX_AGE_SECONDS
            for other in self.folder.parent.iterdir():
                is_ours = _DIGEST.fullmatch(other.name) and other.is_dir()
                if is_ours and other.stat().st_mtime < oldest:
                    shutil.rmtree(other, ignore_errors=True)
        except OSError:
            return


def digest(*parts: str | bytes) -> str:
    hashed = hashlib.sha256()
    for part in parts:
        # The name of a file may hold bytes that are no UTF-8.
        content = part.encode(errors="surrogateescape") if isinstance(part, str) else part
        hashed.update(f"{len(content)}:".encode())
        hashed.update(content)
    return hashed.hexdigest()


def installation_digest(packages: Path = _PACKAGES) -> str:
    """Return a digest of gpuplane's files, by their names, sizes and times.

    It follows from Python and from the libraries that read manifests and settings, too.
    """
    found = [line for name in _SOURCES for line in sorted(_states(packages / name))]
    libraries = [_state(spec.origin) for spec in map(find_spec, _LIBRARIES) if spec and spec.origin]
    return digest(sys.version, *libraries, *found)


def folder_digest(folder: Path) -> str:
    """Return a digest of everything in a folder; raises OSError for what cannot be read."""
    files = sorted(path for path in folder.rglob("*") if "__pycache__" not in path.parts)
    parts: list[str | bytes] = [str(folder.resolve())]
    for path in files:
        parts.append(str(path.relative_to(folder)))
        parts.append(path.read_bytes() if path.is_file() else b"")
    return digest(*parts)


def _states(folder: Path) -> Iterator[str]:
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            yield _state(f"{above}/{name}")


def _state(path: str) -> str:
    state = os.stat(path)  # noqa: PTH116 # of a thousand files; a Path takes twice as long
    return f"{path} {state.st_size} {state.st_mtime_ns}"
