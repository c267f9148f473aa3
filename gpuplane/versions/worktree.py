"""A commit in a folder of its own, in which something can be rendered and compared."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from gpuplane.versions.git import Checkout, Commit

_NO_HOOKS = ("-c", "core.hooksPath=/dev/null")


@contextmanager
def worktree_of(commit: Commit) -> Iterator[Path]:
    """Yield a folder with the files of a commit; raise GitError where git cannot write it."""
    with TemporaryDirectory(prefix="gpuplane-") as parent:
        folder, checkout = Path(parent) / "tree", commit.checkout
        adding = ("worktree", "add", "--detach", str(folder), commit.object_name)
        checkout.run(*_NO_HOOKS, *adding)
        try:
            yield folder
        finally:
            checkout.run("worktree", "remove", "--force", str(folder))


def changed_contents(worktree: Path) -> Mapping[str, bytes | None]:
    """Return the files that differ from the commit of a worktree; None of those that are gone."""
    checkout = Checkout(worktree)
    checkout.run("add", "--all")
    listed = checkout.run("diff", "--cached", "--name-only", "-z", "--no-renames", "HEAD")
    paths = (worktree / name for name in listed.decode().split("\0") if name)
    return {
        path.relative_to(worktree).as_posix(): path.read_bytes() if path.is_file() else None
        for path in paths
    }


def reset(worktree: Path) -> None:
    """Have a worktree hold the files of its commit again."""
    Checkout(worktree).run("reset", "--hard", "--quiet")
