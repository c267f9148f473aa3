"""What the main branch of the platform repository holds of `dist/`."""

import subprocess
from functools import cached_property
from pathlib import Path

from charts_py.release.dist_error import DistError
from charts_py.release.release_record import RECORD_FILE, ReleaseRecord, read_record

CANDIDATES = ("origin/HEAD", "origin/main", "main")
"""Where the main branch is looked for, in this order."""


class MainBranch:
    """The records of released versions on the main branch; none outside of a git checkout."""

    def __init__(self, dist: Path, reference: str | None = None) -> None:
        self._dist = dist
        self._candidates = (reference,) if reference else CANDIDATES

    @cached_property
    def reference(self) -> str | None:
        """The first candidate that git knows."""
        known = (c for c in self._candidates if self._git("rev-parse", "--verify", "-q", c))
        return next(known, None)

    def record(self, cluster: str, version: str) -> ReleaseRecord | None:
        """Return the record of a version; None where the branch has no such version.

        Raises DistError where it holds something else.
        """
        if self.reference is None:
            return None
        path = f"./{cluster}/{version}/{RECORD_FILE}"
        content = self._git("show", f"{self.reference}:{path}")
        try:
            return read_record(content) if content else None
        except ValueError as error:
            raise DistError(f"{self.reference}:{path}: {error}") from error

    def _git(self, *arguments: str) -> bytes:
        """Return what git prints; nothing where it fails, as outside of a checkout."""
        if not self._dist.is_dir():
            return b""
        try:
            run = subprocess.run(  # noqa: S603 # no shell, and the words are ours
                ["git", "-C", str(self._dist), *arguments],  # noqa: S607 # git is the user's
                capture_output=True,
                check=False,
            )
        except FileNotFoundError:
            return b""
        return run.stdout if run.returncode == 0 else b""
