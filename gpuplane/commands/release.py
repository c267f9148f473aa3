import datetime as dt
from collections.abc import Iterator
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
from gpuplane.commands.named_clusters import Clusters, only_cluster
from gpuplane.json_output import ReportKind, attributes, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    from gpuplane.plan.version_bump import Step
    from gpuplane.release.cluster_release import ClusterRelease
    from gpuplane.release.release import ReleasePlan


def release(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    edited: Annotated[
        bool,
        typer.Option(
            "--edited",
            help="Those whose version is released, and that clusters/ renders in another way now.",
        ),
    ] = False,
    bump: Annotated[
        str | None,
        typer.Option(
            "--bump",
            metavar="patch|minor|major",
            help="Step to raise the version by; by default the one that `gpuplane plan` asks for.",
        ),
    ] = None,
    dry_run: DryRun = False,
    main_branch: MainBranch = None,
    mirror: PinnedFiles = None,
    output: AsOutput = Output.TEXT,
) -> None:
    """Cut a version, with its changelog and provenance.

    ```console
    gpuplane release training --dry-run
    gpuplane release training inference
    gpuplane release training --bump major --dry-run
    gpuplane release --edited          # after an edit of clusters/fleet.yaml
    ```

    A pre-release such as 1.3.0-rc.1 becomes 1.3.0. After a released version, the step is the one
    that `gpuplane plan` asks for: a patch if nothing that runs is touched, a minor version if pods
    restart, and a major one for anything worse, unless nobody has to act. A pre-release that
    promises a smaller step is raised to it. The number is written into the cluster file; its
    comments, order and quotes are kept. `live` is kept, too; for a cluster of `promotion.chain` it
    is written out if it was implied.

    What differs from the previous version is written into changelogs/CLUSTER.md, by component,
    between two comments; text outside them is never changed. `provenance.json` in the folder of the
    version states commit, author and digests.

    A number that was used once is passed over. Refused, with the reason: a `--bump` below the step
    that `gpuplane plan` asks for, uncommitted changes in dist/CLUSTER, a name that is taken, a
    version that others have released since, one that changes nothing, and one that goes live with
    the merge while a placeholder is left with which no first sync ends. Everything is written, or
    nothing is.

    With `promotion.keep`, older versions leave `dist/` in the same step, as by `gpuplane prune`.

    `-o json` prints a `ReleaseList` of `{cluster, previous, version, verdict, live, pruned,
    changelog}`.
    """
    from gpuplane.alike_clusters import alike, same_holds
    from gpuplane.release.release import ReleaseRequest, plan_release, release as write

    repository = repository_of(context)
    plan = plan_release(
        ReleaseRequest(
            clusters=repository.clusters,
            dist=repository.dist,
            changelogs=repository.changelogs,
            names=tuple(clusters or ([] if edited else [only_cluster(context)])),
            is_edited=edited,
            now=dt.datetime.now(dt.UTC),
            step=None if bump is None else _step(bump),
            main_branch=main_branch,
            mirror=mirror or repository.directory / FETCHED,
        )
    )
    warn_of_main_branch(is_missing=plan.main_branch_is_missing)
    warn_of_faults(plan.warnings)
    if not dry_run:
        write(plan)
    if output is Output.JSON:
        print_report(
            ReportKind.RELEASES, {"items": [_as_json(each, plan) for each in plan.releases]}
        )
        return
    told = ((each, [*_lines(each, plan, dry_run=dry_run)]) for each in plan.releases)
    for lines, others in alike((each.cluster, "\n".join(lines), lines) for each, lines in told):
        for line in (*lines, *([f"  {same_holds(others)}"] if others else [])):
            print_styled(line)
    if not plan.releases:
        print_styled("no released version is rendered in another way")
    elif not dry_run:
        print_styled("commit clusters/, dist/ and changelogs/ together")
    count_placeholders(plan.warnings)


def _step(text: str) -> "Step":
    from gpuplane.plan.version_bump import Step

    steps = {step.word: step for step in Step if step is not Step.NONE}
    if text not in steps:
        raise typer.BadParameter(
            f'"{text}" is unknown; allowed: {", ".join(steps)}', param_hint="--bump"
        )
    return steps[text]


def _lines(release: "ClusterRelease", plan: "ReleasePlan", *, dry_run: bool) -> Iterator[str]:
    previous = "nothing" if release.previous is None else release.previous.version
    done = "would be cut" if dry_run else "cut"
    # Of what is new, nothing runs yet.
    verdict = "" if release.previous is None else f"; {release.verdict.word}"
    step = f"{previous} -> {release.version}"
    yield f"{release.cluster}: {step} {done}: {release.difference}{verdict}"
    if release.live == release.version:
        yield f"  {release.version} goes live with the merge, as {_why_live(release)}"
    else:
        yield f"  {release.live} stays live; next: gpuplane promote {release.cluster}"
    if gone := plan.pruned[release.cluster]:
        yield f"  {', '.join(gone)} {'would leave' if dry_run else 'left'} dist/ by promotion.keep"
    yield f"  {plan.changelog(release.cluster)}:"
    yield from (f"    {line}".rstrip() for line in plan.changelogs[release.cluster].splitlines())


def _why_live(release: "ClusterRelease") -> str:
    if release.states_live:
        return f"{release.file} says"
    before = release.previous and release.previous.version
    keeps = f"; live: {before} keeps what runs" if before else ""
    return f"{release.file} does not set live{keeps}"


def _as_json(release: "ClusterRelease", plan: "ReleasePlan") -> dict[str, Any]:
    return {
        "cluster": release.cluster,
        "previous": release.previous and release.previous.version,
        **attributes(release, "version", "verdict", "live"),
        "pruned": list(plan.pruned[release.cluster]),
        "changelog": plan.changelogs[release.cluster],
    }
