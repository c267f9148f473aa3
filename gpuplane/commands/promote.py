import datetime as dt
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuplane.commands.arguments import (
    FETCHED,
    AsOutput,
    DryRun,
    MainBranch,
    Output,
    PinnedFiles,
    count_placeholders,
    warn_of_faults,
    warn_of_main_branch,
)
from gpuplane.commands.named_clusters import clusters_and_version, only_cluster, split_version
from gpuplane.commands.next_promotions import move_fields, print_next
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, attributes, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    from charts_py.cluster_file.fault import Fault
    from gpuplane.release.judgement import Judgement
    from gpuplane.release.promotion import PromotionPlan


def promote(
    context: typer.Context,
    clusters: Annotated[
        list[str] | None, clusters_and_version("By default the only one, as its file renders it.")
    ] = None,
    *,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Write nothing; exit with 1 where a rule refuses what would go live."
        ),
    ] = False,
    next_: Annotated[
        bool,
        typer.Option(
            "--next",
            help="Write nothing; show what comes next on the chain, and what was verified.",
        ),
    ] = False,
    open_: Annotated[
        bool,
        typer.Option(
            "--open",
            help="With --next, in GitHub or GitLab CI: keep a pull request open for each promotion "
            "that may go live.",
        ),
    ] = False,
    dry_run: DryRun = False,
    override: Annotated[
        str | None,
        typer.Option(
            metavar="REASON",
            help="Promote even if a rule refuses it, and print the commit trailer that says so.",
        ),
    ] = None,
    main_branch: MainBranch = None,
    mirror: PinnedFiles = None,
    output: AsOutput = Output.TEXT,
) -> None:
    """Make a version live.

    ```console
    gpuplane promote training          # what its file renders
    gpuplane promote training 1.2.0    # or back to what was live
    gpuplane promote --check           # in a pull request
    gpuplane promote --next            # what may go live now, along the chain
    gpuplane promote training --override "fixes today's outage"
    ```

    `promotion` in clusters/fleet.yaml states the rules that can refuse it: a chain of clusters, the
    hours that the previous one must have run a change, freezes, and holds (docs/versions.md). How
    long a cluster has run something is read from the history of the main branch; no cluster is
    asked. If a rule refuses one of the clusters, nothing is written, and the exit code is 1. Going
    back to an earlier version is never refused; the rules only warn. Of a version that is live
    already, nothing changes.

    `--override` promotes anyway, and prints a trailer. End the commit message with it, and
    `--check` lets the change pass.

    `--next` takes the released versions that are later than what is live on the clusters of
    `promotion.chain`. With `--open`, each that may go live has one pull request, from a branch
    `gpuplane/promote-CLUSTER` with one commit; the next run updates it, and closes it where a rule
    refuses it by then, as after a roll-back. GITHUB_TOKEN or GITLAB_TOKEN may write the repository
    and its pull requests. With `-o json`, a `NextPromotions` of `{chain, items}` is printed, whose
    items are moves with `verified` and `pullRequest: {outcome, url}`; `outcome` is opened, updated,
    unchanged, withdrawn (a rule refuses it by now), or declined (somebody closed it).

    `-o json` prints a `Promotion` of `{promoted, alreadyLive: [{cluster, version}], moves:
    [{cluster, old, new, isRollback, refusals: [{rule, what, ends}], override, warnings, notes}]}`.
    """
    from gpuplane.release.promotion import (
        PromotionRequest,
        check_moves,
        plan_promotion,
        promote as write,
    )

    repository = repository_of(context)
    names, version = split_version(clusters)
    is_changed = bool(version) or dry_run or override is not None
    if message := _misuse(check=check, is_next=next_, opens=open_, is_changed=is_changed):
        raise typer.BadParameter(message)
    if not names and not (check or next_):
        names = (only_cluster(context),)
    if override is not None and not override.strip():
        raise typer.BadParameter('--override needs a reason, such as "fixes an outage"')
    request = PromotionRequest(
        clusters=repository.clusters,
        dist=repository.dist,
        names=names,
        now=dt.datetime.now(dt.UTC),
        version=version,
        main_branch=main_branch,
        mirror=mirror or repository.directory / FETCHED,
        # A trailer is one line.
        override=override and " ".join(override.split()),
    )
    if next_:
        print_next(repository, request, opens=open_, as_json=output is Output.JSON)
        return
    plan = check_moves(request) if check else plan_promotion(request)
    warn_of_main_branch(is_missing=plan.main_branch_is_missing)
    warnings = _warnings(plan)
    warn_of_faults(warnings)
    is_written = not (check or dry_run or plan.is_refused)
    if is_written:
        write(plan)
    if output is Output.JSON:
        print_report(ReportKind.PROMOTION, _as_json(plan, promoted=is_written))
    else:
        for line, style in _lines(plan, check=check, is_written=is_written):
            print_styled(line, style)
        count_placeholders(warnings)
    if plan.is_refused:
        raise typer.Exit(ExitCode.FINDINGS)


def _misuse(*, check: bool, is_next: bool, opens: bool, is_changed: bool) -> str | None:
    """Return what is wrong with the options; None where they go together."""
    if check and is_changed:
        return (
            "--check takes no VERSION, --dry-run or --override: it reads the work tree and the "
            "trailers"
        )
    if is_next and (check or is_changed):
        return "--next takes no VERSION, --check, --dry-run or --override"
    if opens and not is_next:
        return "--open opens what --next shows, so it needs --next"
    return None


def _warnings(plan: "PromotionPlan") -> "tuple[Fault, ...]":
    """Return what synth warns of in the versions that go live and that their files render."""
    from charts_py.constructs.platform_warning import told_on, warnings_of
    from gpuplane.versions.check import readable_platforms

    versions = {each.move.cluster: each.move.new.version for each in plan.judgements}
    platforms = readable_platforms(plan.request.clusters, [*versions]) if versions else ()
    rendered = (each for each in platforms if each.cluster.version == versions[each.name])
    found = chain.from_iterable(map(warnings_of, rendered))
    return told_on(found, plan.request.now.date())


def _lines(
    plan: "PromotionPlan", *, check: bool, is_written: bool
) -> Iterator[tuple[str, str | None]]:
    from gpuplane.release.promotion import trailer

    for record in plan.live:
        yield f"{record.cluster}: {record.version} is live already", None
    for each in plan.judgements:
        yield f"{each.move}{_verdict(each)}", None
        yield from ((f"  {refusal}", "red") for refusal in each.refusals)
        yield from ((f"  warning: {warning}", "yellow") for warning in each.warnings)
        yield from ((f"  {note}", None) for note in each.notes)
        if each.override and not check:
            yield "  end the commit message with:", None
            yield f"  {trailer(each.move, each.override)}", None
    if check and not plan.judgements:
        yield "no other version goes live", None
    elif plan.judgements and is_written:
        yield "commit clusters/ and dist/ together", None


def _verdict(judgement: "Judgement") -> str:
    if judgement.override:
        return f", overridden: {judgement.override}"
    if judgement.refusals:
        return ", refused"
    return ", going back" if judgement.move.is_rollback else ""


def _as_json(plan: "PromotionPlan", *, promoted: bool) -> dict[str, Any]:
    return {
        "promoted": promoted and bool(plan.judgements),
        "alreadyLive": [attributes(each, "cluster", "version") for each in plan.live],
        "moves": [move_fields(each) for each in plan.judgements],
    }
