"""Asking git about a checkout, and reading files from its commits."""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from charts_py.cluster_file.cluster_files import GIT, checkout_folder
from gpuplane.versions.tree import DistError, Tree
from gpus.nearest import nearest, nearest_hint

_BLOB, _SUBMODULE = "blob", "commit"
"""Types of a tree's entries: a file, and a submodule
(https://git-scm.com/docs/git-ls-tree#_output_format)."""
_LINK = "120000"
"""Mode of an entry that is a symbolic link, whose blob is the path that it leads to."""
_MISSING = b"missing"
"""What `git cat-file --batch` says of an object that is not there, with exit code 0."""
REPOSITORY_VARIABLES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")
"""Variables that make git answer for another repository, or for another folder of this one, than
the one it runs in; git sets them for its hooks (https://git-scm.com/docs/githooks)."""
_NO_BARE_REPOSITORY = ("-c", "safe.bareRepository=explicit")
"""What is committed may look like a bare repository, whose `config` names programs that git runs
(https://git-scm.com/docs/git-config#Documentation/git-config.txt-safebareRepository)."""
_UNKNOWN = 1
"""What `git rev-parse --verify --quiet` exits with for a name that it does not know; a repository
that it cannot read is 128."""
_BRANCH = re.compile(r"refs/(heads|remotes/[^/]+)/(?P<branch>.+)")
_FOLDERS = ("refs/", "refs/tags/", "refs/heads/", "refs/remotes/")
"""Where git looks for a short name, in this order."""
ALLOWED_REFERENCES = "a branch, tag or commit that is fetched"
REMEDY = "git fsck lists what is damaged or missing, git fetch or a new clone brings it back"


class _Entry(NamedTuple):
    """What a tree holds at a path, which is relative to the checkout's folder."""

    path: Path
    mode: str
    type: str
    object_name: str


class Author(NamedTuple):
    name: str
    mail: str


class GitError(DistError):
    """Why git cannot answer; the message names the folder, what git said and what to do."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """The checkout that a folder lies in.

    Every method raises GitError where git cannot answer.
    """

    folder: Path

    def commit(self, reference: str) -> str | None:
        """Return the object name of the commit; None where git does not know the reference.

        Raises DistError for a reference to what is not a commit.
        """
        if (commit := self._object_name(f"{reference}^{{commit}}")) is not None:
            return commit
        if (name := self._object_name(reference)) is None:
            return None
        done = _run(self.folder, "cat-file", "-t", name)
        if done.returncode != 0:
            raise self.error(f'"{reference}" is not a commit that git has here')
        what = f'"{reference}" is a {done.stdout.decode().strip()}, not a commit'
        raise DistError(f"{self.folder}: {what}; allowed: {ALLOWED_REFERENCES}")

    def full_names(self, reference: str) -> tuple[str, ...]:
        """Return the full names of the references that a short name stands for.

        Git itself takes the first, a tag before a branch of a remote, and says so on stderr alone
        (https://git-scm.com/docs/gitrevisions).
        """
        names = tuple(f"{folder}{reference}" for folder in _FOLDERS)
        found = self.run("for-each-ref", "--format=%(refname)", *names).decode().split()
        return tuple(name for name in names if name in found)

    def has_commits(self) -> bool:
        return bool(self.run("rev-list", "--all", "--max-count=1"))

    def author(self) -> Author:
        """Return who a commit that is made now would be by."""
        identity = self.run("var", "GIT_AUTHOR_IDENT").decode()
        name, _, rest = identity.partition(" <")
        return Author(name, rest.partition(">")[0])

    def changed_files(self, folder: Path) -> tuple[str, ...]:
        """Return the files below a folder that differ from what is committed, new ones included."""
        listed = self.run(
            "status", "--porcelain", "-z", "--no-renames", "--", str(folder.resolve())
        )
        return tuple(line[3:] for line in listed.decode().split("\0") if line)

    def conflicts(self, folder: Path) -> tuple[str, ...]:
        """Return the paths below a folder that a merge left to be resolved."""
        if not folder.is_dir():
            return ()
        listed = Checkout(folder).run("ls-files", "--unmerged", "-z").decode()
        names = (line.partition("\t")[2] for line in listed.split("\0") if line)
        return tuple(dict.fromkeys(names))

    def last_commit(self, reference: str, file: Path) -> str | None:
        listing = ("log", "--max-count=1", "--format=%h", reference, "--", str(file.resolve()))
        return self.run(*listing).decode().strip() or None

    def last_change(self, file: Path) -> str | None:
        """Return the commit that changed a file last; None where it was edited since, or is new."""
        path = ("--", str(file.resolve()))
        if self.run("status", "--porcelain", *path):
            return None
        listing = ("log", "--max-count=1", "--format=%h (%s)", "HEAD", *path)
        return self.run(*listing).decode(errors="replace").strip() or None

    def altered_files(self, commit: str, pattern: str) -> tuple[str, ...]:
        """Return the files that differ between a commit and the disk, by a glob of their path."""
        options = ("--name-only", "-z", "--no-renames", "--relative", "--diff-filter=M")
        listed = self.run("diff", *options, commit, "--", f":(glob){pattern}")
        return tuple(filter(None, listed.decode().split("\0")))

    def branches(self) -> tuple[str, ...]:
        listing = ("for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes")
        return tuple(self.run(*listing).decode().split())

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the best commit that two have in common; None without any."""
        done = _run(self.folder, "merge-base", one, other)
        if done.returncode == _UNKNOWN and not done.stdout:
            return None
        if done.returncode != 0:
            raise self._failed(done)
        return done.stdout.decode().strip()

    def parents(self, commit: str) -> tuple[str, ...]:
        """Return the parents that a commit states, which a shallow clone need not have."""
        header, _, _ = (
            self.run("cat-file", "commit", commit).decode(errors="replace").partition("\n\n")
        )
        lines = (line.partition(" ") for line in header.splitlines())
        return tuple(value for name, _, value in lines if name == "parent")

    def count(self, old: str, new: str) -> int:
        """Return how many commits the one has that the other lacks."""
        return int(self.run("rev-list", "--count", f"{old}..{new}"))

    def is_shallow(self) -> bool:
        return self.run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def references(self) -> tuple[str, ...]:
        return tuple(self.run("for-each-ref", "--format=%(refname:short)").decode().split())

    def run(self, *arguments: str, stdin: bytes = b"") -> bytes:
        done = _run(self.folder, *arguments, stdin=stdin)
        if done.returncode != 0:
            raise self._failed(done)
        return done.stdout

    def error(self, what: str) -> GitError:
        return GitError(f"{self.folder}: {what}; {REMEDY}")

    def _object_name(self, name: str) -> str | None:
        # A reference may begin with a dash.
        verify = ("rev-parse", "--verify", "--quiet", "--end-of-options", name)
        done = _run(self.folder, *verify)
        if done.returncode == _UNKNOWN:
            return None
        if done.returncode != 0:
            raise self._failed(done)
        return done.stdout.decode().strip()

    def _failed(self, done: subprocess.CompletedProcess[bytes]) -> GitError:
        return self.error(f"git cannot answer: {_said(done)}")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit, read by the paths that its files have on the disk.

    Every method raises GitError where git cannot answer.
    """

    checkout: Checkout
    reference: str
    """The name that it was found by."""
    object_name: str

    @property
    def branch(self) -> str | None:
        """The branch that the reference names, without its remote; None where it names none."""
        asked = ("rev-parse", "--symbolic-full-name", self.reference)
        named = _BRANCH.fullmatch(self.checkout.run(*asked).decode().strip())
        return None if named is None else named["branch"]

    def name(self, file: Path) -> str:
        """Return the name by which git shows a file, such as `origin/main:clusters/lab.yaml`."""
        return f"{self.reference}:{self._relative(file)}"

    def read(self, file: Path) -> bytes | None:
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
        entries = self._entries(f"{self._relative(folder)}/", "-d")
        return tuple(sorted(entry.path.name for entry in entries))

    def is_submodule(self, folder: Path) -> bool:
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
        lines = (line.partition("\t") for line in listed.decode().split("\0") if line)
        return [_Entry(Path(path), *facts.split()) for facts, _, path in lines]

    def _contents(self, blobs: Sequence[_Entry]) -> Iterator[bytes]:
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
                raise DistError(
                    f"{self.reference}:{blob.path}: a symbolic link that leads to no file of the "
                    "commit; allowed: a file, or a link to one"
                )
            start = header_end + 1 + int(size) + 1
            yield output[header_end + 1 : start - 1]

    def _file_name(self, blob: _Entry) -> str:
        """Return the name by which git finds a file, following links by their path alone."""
        if blob.mode == _LINK:
            return f"{self.object_name}:./{blob.path.as_posix()}"
        return blob.object_name


def find_checkout(path: Path) -> Checkout | None:
    """Return the checkout that a path lies in, which need not exist; None outside of any.

    Without a `.git` there is nothing to ask, so git may be missing there. Where one is found, git
    has to open it: raises GitError where it refuses or is missing, since what it does not show
    must not be taken for what is not there.
    """
    # The path if it is a folder, else the folder that it is to be made in.
    folder = next(each for each in (path, *path.parents) if each.is_dir())
    found = checkout_folder(folder)
    if found is None:
        if "GIT_DIR" in os.environ:
            raise GitError(
                f"{path}: GIT_DIR is set, but no .git is in this folder or above; "
                "unset GIT_DIR, or work in a checkout"
            )
        return None
    _check_opens(folder, found / GIT)
    return Checkout(folder)


def _check_opens(folder: Path, repository: Path) -> None:
    try:
        done = _run(folder, "rev-parse", "--is-inside-work-tree")
    except FileNotFoundError as error:
        raise GitError(
            f"{folder}: git is not on the PATH, and only git can read {repository}; install it"
        ) from error
    if done.returncode != 0:
        raise GitError(
            f"{folder}: git cannot open {repository}; fix what it reports:\n{_said(done)}"
        )
    if done.stdout.strip() != b"true":
        raise GitError(f"{folder}: {repository} has no work tree here; run this in a checkout")


def _run(folder: Path, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if name not in REPOSITORY_VARIABLES}
    return subprocess.run(  # noqa: S603 # no shell, and the words are ours
        ["git", *_NO_BARE_REPOSITORY, "-C", str(folder), *arguments],  # noqa: S607 # git is the user's
        input=stdin,
        capture_output=True,
        check=False,
        # A replacement of a commit (https://git-scm.com/docs/git-replace) is not what was released.
        # Asking for the state of files writes nothing.
        env={**kept, "LC_ALL": "C", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0"},
    )


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    said = done.stderr.decode(errors="replace").strip()
    return said or f"exit code {done.returncode}"


def mail_of_user(folder: Path) -> str:
    """Return `user.email` as git has it in a folder; empty without one."""
    try:
        return _run(folder, "config", "user.email").stdout.decode(errors="replace").strip()
    except FileNotFoundError:
        return ""


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
    # Anybody who can push a tag may have taken a short name.
    names = checkout.full_names(reference)
    if len(names) > 1 and len({checkout.commit(name) for name in names}) > 1:
        what = f'"{reference}" stands for several commits in {checkout.folder}'
        raise DistError(f"{what}; allowed: {', '.join(names)}")
    return commit


def find_commit(checkout: Checkout, reference: str) -> Commit | None:
    object_name = checkout.commit(reference)
    return None if object_name is None else Commit(checkout, reference, object_name)
