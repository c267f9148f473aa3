"""A platform repository as the disk holds it, or as a git reference does."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from charts_py.release.dist import Tree, read_tree
from charts_py.release.dist_error import DistError


class Snapshot(Protocol):
    """One state of the files of a platform repository."""

    def read(self, file: Path) -> bytes | None:
        """Return the content of a file; None where there is none."""

    def tree(self, folder: Path) -> Tree:
        """Return every file below a folder; empty where there is none."""

    def folders(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the folders in a folder, sorted."""


class WorkTree:
    """What stands on the disk."""

    def read(self, file: Path) -> bytes | None:
        """Return the content of a file; None where there is none."""
        return file.read_bytes() if file.is_file() else None

    def tree(self, folder: Path) -> Tree:
        """Return every file below a folder; empty where there is none."""
        return read_tree(folder)

    def folders(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the folders in a folder, sorted."""
        return tuple(sorted(path.name for path in folder.glob("*/") if path.is_dir()))


class _GitError(DistError):
    """What git says against a command."""


class GitSnapshot:
    """What a commit holds."""

    def __init__(self, directory: Path, reference: str) -> None:
        """Raise DistError where git does not know the reference, or the folder is no checkout."""
        self._directory = directory
        commit = f"{reference}^{{commit}}"
        try:
            # A reference may begin with a dash.
            named = self._git("rev-parse", "--verify", "--end-of-options", commit)
        except _GitError as error:
            message = f'unknown git reference "{reference}" in {directory}: {error}'
            raise DistError(message) from error
        self._commit = named.decode().strip()

    def read(self, file: Path) -> bytes | None:
        """Return the content of a file; None where there is none."""
        entries = list(self._entries(self._relative(file)))
        return self._contents([entries[0][0]])[0] if entries else None

    def tree(self, folder: Path) -> Tree:
        """Return every file below a folder; empty where there is none."""
        prefix = f"{self._relative(folder)}/"
        entries = list(self._entries(prefix, "-r"))
        contents = self._contents([digest for digest, _ in entries])
        paths = (path.removeprefix(prefix) for _, path in entries)
        return dict(zip(paths, contents, strict=True))

    def folders(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the folders in a folder, sorted."""
        entries = self._entries(f"{self._relative(folder)}/", "-d")
        return tuple(sorted(Path(path).name for _, path in entries))

    def _relative(self, path: Path) -> str:
        return Path(os.path.relpath(path, self._directory)).as_posix()

    def _entries(self, path: str, *options: str) -> Iterator[tuple[str, str]]:
        """Yield digest and path, from the folder that git runs in, of what stands at a path."""
        listed = self._git("ls-tree", "-z", *options, self._commit, "--", path)
        for entry in filter(None, listed.decode().split("\0")):
            facts, _, name = entry.partition("\t")
            yield facts.split()[-1], name

    def _contents(self, digests: list[str]) -> list[bytes]:
        """Return the content of blobs, all from one process."""
        if not digests:
            return []
        output = self._git("cat-file", "--batch", stdin="\n".join(digests).encode())
        contents, start = [], 0
        for _ in digests:
            header_end = output.index(b"\n", start)
            size = int(output[start:header_end].split()[-1])
            contents.append(output[header_end + 1 : header_end + 1 + size])
            start = header_end + 1 + size + 1
        return contents

    def _git(self, *arguments: str, stdin: bytes = b"") -> bytes:
        try:
            run = subprocess.run(  # noqa: S603 # no shell, and the words are ours
                ["git", "-C", str(self._directory), *arguments],  # noqa: S607 # git is the user's
                input=stdin,
                capture_output=True,
                check=False,
            )
        except FileNotFoundError as error:
            raise DistError(
                "git is not on the PATH; comparing with a reference needs it"
            ) from error
        if run.returncode != 0:
            raise _GitError(run.stderr.decode().strip())
        return run.stdout
