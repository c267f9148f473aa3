"""A pull request for each alias of the model registry that names another version than manifests."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gpuplane.model_registry.moved_models import (
    ModelMove,
    MovedModels,
    VersionOf,
    followed_in,
    model_manifests,
    move_models,
)
from gpuplane.pull_request.proposal import Proposal, ProposalHost, ProposalResult, propose, withdraw
from gpuplane.versions.git import Commit
from gpuplane.versions.worktree import changed_contents, reset, worktree_of
from gpuplane.workloads.model_version import ModelReference, ModelVersion

_NEXT = (
    "Another version is another pod template: a Rollout replaces a few replicas first, and goes on "
    "as their metrics allow; anything else follows its strategy."
)
_LEVEL = "The main branch has the version that the alias names."


@dataclass(frozen=True, slots=True)
class OpenedMove:
    """An alias, what moves for it, and what became of its pull request."""

    reference: ModelReference
    moved: MovedModels
    result: ProposalResult | None
    """None where nothing moves and nothing was open."""


def open_moves(
    main: Commit, paths: Iterable[Path], version_of: VersionOf, host: ProposalHost
) -> tuple[OpenedMove, ...]:
    """Open a pull request for each alias that names another version than the main branch.

    `paths` are those of files and folders from the root of the repository. One that is open for an
    alias for which nothing moves is closed. Raises HostError, and what `version_of` does.
    """
    with worktree_of(main) as worktree:
        files = [*model_manifests(worktree, paths)]
        return tuple(
            _opened(worktree, files, each, version_of, host)
            for each in followed_in(worktree, files)
        )


def _opened(
    worktree: Path,
    files: Iterable[Path],
    reference: ModelReference,
    version_of: VersionOf,
    host: ProposalHost,
) -> OpenedMove:
    def only_this(other: ModelReference) -> ModelVersion | None:
        return version_of(other) if other == reference else None

    moved = move_models(worktree, files, only_this)
    branch = f"gpuplane/model-{reference.name}@{reference.alias}"
    if not moved.moves:
        return OpenedMove(reference, moved, withdraw(host, branch, _LEVEL))
    moved.write(worktree)
    changed = changed_contents(worktree)
    reset(worktree)
    proposal = Proposal(branch, _title(moved.moves[0]), "\n".join(_text(moved.moves)), changed)
    return OpenedMove(reference, moved, propose(host, proposal))


def _title(move: ModelMove) -> str:
    return f"Serve version {move.new.number} of {move.reference.name}@{move.reference.alias}"


def _text(moves: Iterable[ModelMove]) -> Iterator[str]:
    yield "The alias names another version in the model registry:"
    yield ""
    yield from (f"- {move}" for move in moves)
    yield ""
    yield _NEXT
