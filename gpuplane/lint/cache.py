"""A folder that keeps what was found, by digests of all that it follows from."""

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

VARIABLE = "GPUPLANE_CACHE"
"""Names the folder in place of the user's own."""
_PACKAGES = Path(__file__).parents[2]
_NAMES = ("charts_py", "culling", "gpus", "policies", "upstream")
"""Those from which settings and findings follow."""
_LIBRARIES = ("cel_expr_python", "jsonpointer", "msgspec", "pydantic", "yaml")
_MAX_AGE_SECONDS = 14 * 86_400
"""What nobody has asked for in as long is removed."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
"""Names a folder of ours: the cache may be named by hand, and share its folder with others."""


@dataclass(frozen=True, slots=True)
class CacheStore:
    """Texts by their keys. What cannot be read is not there, and what cannot be kept is lost.

    Each is kept below its digest, so that half of one, or what another program wrote, is not there.
    """

    folder: Path | None
    """None keeps nothing."""

    def below(self, key: str) -> "CacheStore":
        """Return the store of what follows from a key, too."""
        return CacheStore(None if self.folder is None else self.folder / key)

    def read(self, key: str) -> str | None:
        """Return the text of a key; None where there is none."""
        if self.folder is None:
            return None
        file = self.folder / key
        try:
            # Opening a named pipe would wait for somebody to write.
            kept = file.read_text(encoding="utf-8") if file.is_file() else ""
        except (OSError, UnicodeDecodeError):
            return None
        stated, _, text = kept.partition("\n")
        return text if stated == digest(text) else None

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
        """Note that the folder was used, and remove those of ours beside it that nobody uses."""
        if self.folder is None or not self.folder.is_dir():
            return
        try:
            os.utime(self.folder)
            for other in _unused(self.folder.parent.iterdir()):
                shutil.rmtree(other, ignore_errors=True)
        except OSError:
            return


def _unused(folders: Iterable[Path]) -> list[Path]:
    oldest = time.time() - _MAX_AGE_SECONDS
    ours = (each for each in folders if _DIGEST.fullmatch(each.name) and each.is_dir())
    return [each for each in ours if each.stat().st_mtime < oldest]


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


def digest(*parts: str | bytes) -> str:
    """Return a name for exactly these parts, in this order."""
    hashed = hashlib.sha256()
    for part in parts:
        # The name of a file may hold bytes that are no UTF-8.
        content = part.encode(errors="surrogateescape") if isinstance(part, str) else part
        hashed.update(f"{len(content)}:".encode())
        hashed.update(content)
    return hashed.hexdigest()


def installation_digest(packages: Path = _PACKAGES) -> str:
    """Return a name for these files of gpuplane, by their names, sizes and times.

    And for Python and the libraries that read manifests and settings.
    """
    found = [line for name in _NAMES for line in sorted(_states(packages / name))]
    libraries = [_state(spec.origin) for spec in map(find_spec, _LIBRARIES) if spec and spec.origin]
    return digest(sys.version, *libraries, *found)


def folder_digest(folder: Path) -> str:
    """Return a name for all that a folder holds; raises OSError for what cannot be read."""
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
