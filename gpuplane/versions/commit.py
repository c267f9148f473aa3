"""What a commit of the platform repository holds."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpuplane.versions.dist_error import DistError
from gpuplane.versions.git import ALLOWED_REFERENCES, Checkout, find_checkout
from gpuplane.versions.tree import Tree
from gpus.nearest import nearest, nearest_hint

_BLOB, _SUBMODULE = "blob", "commit"
"""Types of a tree's entries: a file, and a submodule
(https://git-scm.com/docs/git-ls-tree#_output_format)."""

_LINK = "120000"
"""Mode of an entry that is a symbolic link, whose blob is the path that it leads to."""

_MISSING = b"missing"
"""What `git cat-file --batch` says of an object that is not there, with exit code 0."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a tree holds at a path, which is relative to the checkout's folder."""

    mode: str
    type: str
    object_name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit, read by the paths that its files have on the disk.

    Every method raises GitError where git cannot answer.
    """

    checkout: Checkout
    reference: str
    """The name that it was found by."""
    object_name: str

    def name(self, file: Path) -> str:
        """Return the name by which git shows a file, such as `origin/main:clusters/lab.yaml`."""
        return f"{self.reference}:{self._relative(file)}"

    def read(self, file: Path) -> bytes | None:
        """Return the content of a file; None where there is none."""
        blobs = [entry for entry in self._entries(self._relative(file)) if entry.type == _BLOB]
        return next(iter(self._contents(blobs)), None)

    def tree(self, folder: Path) -> Tree:
        """Return every file below a folder; empty where there is none.

        Symbolic links are followed, as on the disk; raises DistError for one that leads to no file
        of the commit.
        """
        relative = self._relative(folder)
        entries = self._entries(f"{relative}/", "-r")
        blobs = [entry for entry in entries if entry.type == _BLOB]
        paths = (blob.path.relative_to(relative).as_posix() for blob in blobs)
        return dict(zip(paths, self._contents(blobs), strict=True))

    def folders(self, folder: Path) -> tuple[str, ...]:
        """Return the names of the folders in a folder, sorted."""
        entries = self._entries(f"{self._relative(folder)}/", "-d")
        return tuple(sorted(entry.path.name for entry in entries))

    def is_submodule(self, folder: Path) -> bool:
        """Return whether a folder is a submodule, whose files are another repository's."""
        relative = self._relative(folder)
        return any(
            entry.type == _SUBMODULE and entry.path == Path(relative)
            for entry in self._entries(relative)
        )

    def _relative(self, path: Path) -> str:
        return Path(os.path.relpath(path, self.checkout.folder)).as_posix()

    def _entries(self, path: str, *options: str) -> list[_Entry]:
        """Return what stands at a path; in it, where it ends with a slash."""
        listed = self.checkout.run("ls-tree", "-z", *options, self.object_name, "--", path)
        return [_entry(line) for line in listed.decode().split("\0") if line]

    def _contents(self, blobs: Sequence[_Entry]) -> Iterator[bytes]:
        """Yield the content of blobs, all from one process."""
        if not blobs:
            return
        names = "\n".join(map(self._file_name, blobs))
        reading = ("cat-file", "--batch", "--follow-symlinks")
        output, start = self.checkout.run(*reading, stdin=names.encode()), 0
        for blob in blobs:
            header_end = output.index(b"\n", start)
            *_, kind, size = output[start:header_end].split()
            if size == _MISSING:
                raise self.checkout.error(f"git does not have {blob.path} of {self.reference}")
            if kind != _BLOB.encode():
                raise self._leads_nowhere(blob)
            start = header_end + 1 + int(size) + 1
            yield output[header_end + 1 : start - 1]

    def _file_name(self, blob: _Entry) -> str:
        """Return the name by which git finds a file, following links by their path alone."""
        if blob.mode == _LINK:
            return f"{self.object_name}:./{blob.path.as_posix()}"
        return blob.object_name

    def _leads_nowhere(self, link: _Entry) -> DistError:
        what = f"{self.reference}:{link.path}: a symbolic link that leads to no file of the commit"
        return DistError(f"{what}; allowed: a file, or a link to one")


def _entry(line: str) -> _Entry:
    facts, _, path = line.partition("\t")
    mode, kind, object_name = facts.split()
    return _Entry(mode, kind, object_name, Path(path))


def named_commit(path: Path, reference: str) -> Commit:
    """Return a commit of the checkout that a path lies in.

    Raises DistError where git does not know the reference, where it stands for several commits, and
    where the path is in no checkout; GitError where git cannot answer.
    """
    checkout = find_checkout(path)
    if checkout is None:
        raise DistError(f'{path}: not in a git checkout; the git reference "{reference}" needs one')
    commit = find_commit(checkout, reference)
    if commit is None:
        hint = nearest_hint(nearest(reference, checkout.references()))
        what = f'unknown git reference "{reference}" in {path}'
        raise DistError(f"{what}; allowed: {ALLOWED_REFERENCES}{hint}")
    _check_unambiguous(checkout, reference)
    return commit


def _check_unambiguous(checkout: Checkout, reference: str) -> None:
    """Raise DistError for a short name that anybody who can push a tag may have taken."""
    names = checkout.full_names(reference)
    if len({checkout.commit(name) for name in names}) > 1:
        what = f'"{reference}" stands for several commits in {checkout.folder}'
        raise DistError(f"{what}; allowed: {', '.join(names)}")


def find_commit(checkout: Checkout, reference: str) -> Commit | None:
    """Return a commit; None where git does not know the reference."""
    object_name = checkout.commit(reference)
    return None if object_name is None else Commit(checkout, reference, object_name)
