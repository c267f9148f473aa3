"""Why a version goes live although a rule refuses it, as a trailer of a commit message."""

from collections.abc import Iterator
from pathlib import Path

from gpuplane.release.move import Move
from gpuplane.versions.git import find_checkout
from gpuplane.versions.main_branch import MainBranch

TRAILER = "Promotion-Override"
"""Name of the trailer (https://git-scm.com/docs/git-interpret-trailers)."""


def trailer(move: Move, reason: str) -> str:
    """Return the line that a commit message has to end with, in a block of such lines."""
    return f"{TRAILER}: {_subject(move)}: {reason}"


def stated_override(move: Move, dist: Path, main_branch: MainBranch) -> str | None:
    """Return the reason that a commit states which the main branch does not have; None without.

    Raises GitError where git cannot answer.
    """
    begin = f"{_subject(move)}: "
    stated = (one for one in _trailers(dist, main_branch) if one.startswith(begin))
    return next((one.removeprefix(begin) for one in stated), None)


def _subject(move: Move) -> str:
    return f"{move.cluster} {move.new.version}"


def _trailers(dist: Path, main_branch: MainBranch) -> Iterator[str]:
    checkout, main = find_checkout(dist), main_branch.commit
    if checkout is not None and main is not None:
        format_ = f"--format=%(trailers:key={TRAILER},valueonly,unfold)"
        listed = checkout.run("log", format_, f"{main.object_name}..HEAD")
        yield from filter(None, listed.decode().splitlines())
