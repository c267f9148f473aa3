"""What `gpuplane promote --next` says."""

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gpuplane.commands.arguments import warn_of_main_branch
from gpuplane.json_output import ReportKind, attributes, print_report
from gpuplane.terminal import print_styled

OUTCOMES = {
    "opened": "opened",
    "updated": "updated",
    "unchanged": "is open",
    "withdrawn": "closed",
    "declined": "was closed by somebody, and is not opened again for this version",
}
"""What a person is told of a pull request, by what became of it."""

if TYPE_CHECKING:
    from gpuplane.platform_repository import PlatformRepository
    from gpuplane.pull_request.proposal import ProposalResult
    from gpuplane.release.judgement import Judgement
    from gpuplane.release.next_promotions import NextPromotions
    from gpuplane.release.promotion import PromotionRequest


def print_next(
    repository: "PlatformRepository", request: "PromotionRequest", *, opens: bool, as_json: bool
) -> None:
    """Print what comes next on the chain; open pull requests for what may go live, if asked."""
    from gpuplane.release.next_promotions import next_promotions

    opened: Mapping[str, ProposalResult] = {}
    if opens:
        found, opened = _opened(repository, request)
    else:
        found = next_promotions(request)
    warn_of_main_branch(is_missing=found.main_branch_is_missing)
    if as_json:
        print_report(ReportKind.NEXT_PROMOTIONS, _as_json(found, opened))
        return
    for line, style in _lines(found, opened):
        print_styled(line, style)


def _opened(
    repository: "PlatformRepository", request: "PromotionRequest"
) -> "tuple[NextPromotions, Mapping[str, ProposalResult]]":
    from charts_py.cluster_file.cluster_files import path_in_checkout
    from charts_py.cluster_file.gitops import ROOT
    from gpuplane.pull_request.promotions import MainRepository, open_promotions
    from gpuplane.pull_request.proposal_hosts import proposal_host_of
    from gpuplane.versions.main_branch import MainBranch
    from gpuplane.versions.tree import DistError

    main = MainBranch(request.dist, request.main_branch).commit
    if main is None:
        raise DistError(
            f"{request.dist}: git knows no main branch, which a pull request would be for; "
            "fetch it, or name one with --main-branch"
        )
    folder = path_in_checkout(repository.directory) or ROOT
    host = proposal_host_of(os.environ, main)
    return open_promotions(MainRepository(main, folder), request, host)


def _lines(
    found: "NextPromotions", opened: "Mapping[str, ProposalResult]"
) -> Iterator[tuple[str, str | None]]:
    if not found.chain:
        yield "promotion.chain in clusters/fleet.yaml names no cluster, so none comes next", None
    elif not found.items:
        yield f"every released version is live on the chain: {', '.join(found.chain)}", None
    for each in found.items:
        judgement = each.judgement
        yield f"{judgement.move}, {'waits' if judgement.is_refused else 'may go live'}", None
        yield from ((f"  {refusal}", "red") for refusal in judgement.refusals)
        yield from ((f"  warning: {warning}", "yellow") for warning in judgement.warnings)
        yield from ((f"  verified: {verified}", None) for verified in each.verified)
        if (there := opened.get(judgement.move.cluster)) is not None:
            yield f"  pull request {OUTCOMES[there.outcome]}: {there.url}", None


def _as_json(found: "NextPromotions", opened: "Mapping[str, ProposalResult]") -> dict[str, Any]:
    items = []
    for each in found.items:
        there = opened.get(each.judgement.move.cluster)
        pull_request = None if there is None else attributes(there, "outcome", "url")
        fields = move_fields(each.judgement)
        items.append({**fields, "verified": list(each.verified), "pullRequest": pull_request})
    return {"chain": list(found.chain), "items": items}


def move_fields(judgement: "Judgement") -> dict[str, Any]:
    return {
        "cluster": judgement.move.cluster,
        "old": judgement.move.old_version,
        "new": judgement.move.new.version,
        "isRollback": judgement.move.is_rollback,
        "refusals": [
            {"rule": each.rule, "what": each.what, "ends": each.ends and each.ends.isoformat()}
            for each in judgement.refusals
        ],
        **attributes(judgement, "override", "warnings", "notes"),
    }
