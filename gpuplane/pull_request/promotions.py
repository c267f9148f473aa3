"""A pull request for each promotion that comes next on a chain of clusters."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from gpuplane.pull_request.proposal import Proposal, ProposalHost, ProposalResult, propose, withdraw
from gpuplane.release.judgement import Judgement
from gpuplane.release.next_promotions import NextPromotion, NextPromotions, next_promotions
from gpuplane.release.promotion import PromotionRequest, plan_promotion, promote
from gpuplane.versions.git import Commit
from gpuplane.versions.worktree import changed_contents, reset, worktree_of

_NOT_VERIFIED = "Not verified: whether the clusters before it were healthy. Their alerts say that."


@dataclass(frozen=True, slots=True)
class MainRepository:
    """A platform repository as the main branch has it, whatever is checked out."""

    main: Commit
    folder: str
    """Its folder in the git repository; `.` for its root."""

    def request(self, asked: PromotionRequest, worktree: Path) -> PromotionRequest:
        """Return the same request about the folders of a worktree."""
        directory = worktree / self.folder
        names = (asked.clusters.name, asked.dist.name)
        clusters, dist = (directory / name for name in names)
        return replace(asked, clusters=clusters, dist=dist, main_branch=self.main.object_name)

    def branch(self, cluster: str) -> str:
        folder = "" if self.folder == "." else f"{self.folder.replace('/', '-')}-"
        return f"gpuplane/promote-{folder}{cluster}"


def open_promotions(
    repository: MainRepository, asked: PromotionRequest, host: ProposalHost
) -> tuple[NextPromotions, dict[str, ProposalResult]]:
    """Open a pull request for each promotion that may go live; return what became of it.

    One that is open for what a rule refuses now is closed, as after a roll-back. Raises what
    `next_promotions` does, and HostError.
    """
    with worktree_of(repository.main) as worktree:
        request = repository.request(asked, worktree)
        found = next_promotions(request)
        opened = dict(_opened(repository, worktree, request, found.items, host))
    return found, opened


def _opened(
    repository: MainRepository,
    worktree: Path,
    request: PromotionRequest,
    found: Iterable[NextPromotion],
    host: ProposalHost,
) -> Iterator[tuple[str, ProposalResult]]:
    for each in found:
        cluster = each.judgement.move.cluster
        branch = repository.branch(cluster)
        if each.judgement.is_refused:
            closed = withdraw(host, branch, _refusal(each.judgement))
            if closed is not None:
                yield cluster, closed
        else:
            yield cluster, propose(host, _proposal(worktree, request, each, branch))


def _proposal(
    worktree: Path, request: PromotionRequest, each: NextPromotion, branch: str
) -> Proposal:
    move = each.judgement.move
    promote(plan_promotion(replace(request, names=(move.cluster,))))
    files = changed_contents(worktree)
    reset(worktree)
    title = f"Promote {move.cluster} to {move.new.version}"
    return Proposal(branch, title, _text(each), files)


def _text(each: NextPromotion) -> str:
    move, warnings = each.judgement.move, each.judgement.warnings
    lines = (
        f"{move}, which the rules in `clusters/fleet.yaml` allow now. Verified:",
        "",
        *(f"- {verified}" for verified in each.verified),
        "",
        *(f"Warning: {warning}.\n" for warning in warnings),
        _NOT_VERIFIED,
    )
    return "\n".join(lines)


def _refusal(judgement: Judgement) -> str:
    reasons = (f"- {reason}" for reason in judgement.refusals)
    return "\n".join((f"{judgement.move} is refused now:", "", *reasons))
