"""A folder that keeps what was found, by digests of all that it follows from."""

import os
import re
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gpuplane.lint.digest import digest

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
