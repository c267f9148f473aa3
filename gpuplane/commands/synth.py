import datetime as dt
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpuplane.commands.arguments import (
    FETCHED,
    AsOutput,
    Check,
    MainBranch,
    Output,
    PinnedFiles,
    Quiet,
    count_placeholders,
    warn_of_faults,
    warn_of_main_branch,
)
from gpuplane.commands.named_clusters import Clusters
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, attributes, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_styled, progress

if TYPE_CHECKING:
    from pathlib import Path

    from gpuplane.platform_repository import PlatformRepository
    from gpuplane.release.conflict import Resolution
    from gpuplane.versions.synth import SynthesizedCluster, SynthReport
    from gpuplane.versions.tree import Changes


def synth(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    check: Check = False,
    resolve: Annotated[
        bool,
        typer.Option(
            "--resolve",
            help="In a merge or rebase, first resolve conflicts in dist/ and changelogs/.",
        ),
    ] = False,
    main_branch: MainBranch = None,
    mirror: PinnedFiles = None,
    quiet: Quiet = False,
    output: AsOutput = Output.TEXT,
) -> None:
    """Render clusters/ into dist/.

    ```console
    gpuplane synth                      # all clusters
    gpuplane synth training inference   # two of them
    gpuplane synth --check              # in a pull request
    gpuplane synth --resolve            # where a merge conflicts in dist/
    gpuplane synth --main-branch origin/trunk
    gpuplane synth --mirror pinned      # what gpuplane upstream fetch wrote
    ```

    Each cluster is rendered into the folder of the version that its file names. A version without
    a pre-release suffix that is on the main branch never changes again: a difference is an error
    that names the objects and the next version. Where anything is wrong, `dist/` stays as it was.
    So it does where a file in clusters/ is not understood, or a cluster in `dist/` has no file any
    more: `gpuplane remove` removes a cluster, and nothing else does.
    Manifests in the folder of a cluster that are of no version stay, too; `--check` fails until
    they are removed.
    Where git has no main branch, as in a shallow clone of another branch, a warning on stderr
    states that nothing is protected; a branch named with `--main-branch` must exist. Other warnings
    there name what is likely not meant, such as an exception from a rule that has expired, or
    cannot run, such as a webhook whose image is not set; neither what is rendered nor the exit code
    goes by them.

    `--resolve` takes what the main branch has wherever `dist/` or a changelog conflicts, cuts the
    released versions of this branch anew, above those, renders, and adds the result to the merge.
    Conflicts in clusters/ are resolved by hand before.

    `-o json` prints a `Synthesis` of `{current, clusters: [{name, version, live, objects,
    changes, warnings}], fleet, tampered, strays, abandoned, mainBranchIsMissing}`, where
    changes and fleet are `{added, changed, removed}` with paths below `dist/`, and live is null
    where nothing is.
    """
    from gpuplane.new_repository.code_owners import unset_owners
    from gpuplane.versions.synth import SynthRequest, synthesize
    from policies.admission import today

    repository = repository_of(context)
    names = tuple(clusters or ())
    if resolve and (check or names):
        raise typer.BadParameter("not with --check or clusters", param_hint="--resolve")
    resolution = _resolution(repository, main_branch, mirror) if resolve else None
    request = SynthRequest(
        clusters=repository.clusters,
        dist=repository.dist,
        names=names,
        check=check,
        main_branch=main_branch,
        mirror=mirror or repository.directory / FETCHED,
        today=today(),
    )
    with progress("rendering", quiet=quiet) as finished:
        report = synthesize(request, finished)
    if resolution is not None:
        from gpuplane.release.conflict import add_to_merge

        add_to_merge(repository.dist, resolution, report)
    warn_of_main_branch(is_missing=report.main_branch_is_missing)
    # What the file of the fleet says is warned of for each cluster.
    warnings = tuple(dict.fromkeys(w for cluster in report.clusters for w in cluster.warnings))
    owners = tuple(unset_owners(repository.directory))
    warn_of_faults((*warnings, *owners))
    wrong = report.tampered or (check and not report.is_current)
    if output is Output.JSON:
        print_report(ReportKind.SYNTHESIS, _as_json(report))
    elif wrong or not quiet:
        if not report.clusters:
            print_styled(f"{repository.clusters}: no cluster file, so nothing is rendered")
        for line in lines_of(report, check=check, quiet=quiet):
            print_styled(line)
    if not quiet and output is Output.TEXT:
        count_placeholders(warnings, len(owners))
    if wrong:
        if check and report.is_changed and output is Output.TEXT:
            typer.echo("dist/ differs from what clusters/ renders; run gpuplane synth", err=True)
        raise typer.Exit(ExitCode.FINDINGS)


def _resolution(
    repository: "PlatformRepository", main_branch: str | None, mirror: "Path | None"
) -> "Resolution":
    """Resolve the conflicts of a merge, and say how."""
    from gpuplane.release.conflict import resolve
    from gpuplane.release.release import ReleaseRequest

    request = ReleaseRequest(
        clusters=repository.clusters,
        dist=repository.dist,
        changelogs=repository.changelogs,
        names=(),
        now=dt.datetime.now(dt.UTC),
        main_branch=main_branch,
        mirror=mirror or repository.directory / FETCHED,
    )
    done = resolve(request)
    for path in done.taken:
        typer.echo(f"{path}: as on the main branch", err=True)
    for each in done.releases:
        typer.echo(f"{each.cluster}: {each.version} cut of what this branch changes", err=True)
    return done


def lines_of(report: "SynthReport", *, check: bool, quiet: bool) -> Iterator[str]:
    from gpuplane.alike_clusters import alike, same_holds

    shown = [each for each in report.clusters if not quiet or (check and each.changes)]
    told = ((each.name, "\n".join(_cluster_lines(each, check=check)), each) for each in shown)
    for cluster, others in alike(told):
        yield from _cluster_lines(cluster, check=check)
        if others:
            yield f"  {same_holds(others)}"
    if report.fleet and (check or not quiet):
        yield f"fleet: {_counted(report.fleet)}"
        if check:
            yield from _paths(report.fleet)
    for path in report.tampered:
        yield f"{path}: not as it was rendered; restore it from git"
    for path in report.abandoned if check else ():
        yield f"{path}: left by a gpuplane that was killed; gpuplane synth removes it"
    for path in report.strays:
        yield f"{path}: not rendered, and of no version; remove it, or move it out of dist/"


def _cluster_lines(cluster: "SynthesizedCluster", *, check: bool) -> Iterator[str]:
    from charts_py.cluster_file.fault import counted
    from charts_py.cluster_file.kubernetes_version import NOT_LIVE

    live = "" if cluster.live == cluster.version else f" (live {cluster.live or NOT_LIVE})"
    named = f"{cluster.name} {cluster.version}{live}: {counted(cluster.objects, 'object')}"
    yield f"{named}, {_counted(cluster.changes)}"
    if check:
        yield from _paths(cluster.changes)


def _counted(changes: "Changes") -> str:
    counts = [f"{len(paths)} {word}" for word, paths in asdict(changes).items() if paths]
    return f"files: {', '.join(counts)}" if counts else "unchanged"


def _paths(changes: "Changes") -> Iterator[str]:
    for word, paths in asdict(changes).items():
        yield from (f"  {word} {path}" for path in paths)


def _as_json(report: "SynthReport") -> dict[str, Any]:
    return {
        "current": report.is_current,
        "clusters": [
            {**asdict(cluster), "warnings": [*map(str, cluster.warnings)]}
            for cluster in report.clusters
        ],
        "fleet": asdict(report.fleet),
        **attributes(report, "tampered", "strays", "abandoned", "main_branch_is_missing"),
    }
