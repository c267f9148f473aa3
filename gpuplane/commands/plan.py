import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import (
    FETCHED,
    AsDocument,
    Base,
    BaseExact,
    PinnedFiles,
    warn_of_faults,
)
from gpuplane.commands.named_clusters import Clusters, only_cluster
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, print_report
from gpuplane.parameter_rows import MORE_OPTIONS
from gpuplane.platform_repository import repository_of
from gpuplane.tables import DocumentOutput, print_table
from gpuplane.terminal import paged, print_styled, print_text, progress, read_stdin
from gpus.nearest import nearest, nearest_hint

if TYPE_CHECKING:
    from charts_py.objects.document import Document
    from gpuplane.plan.part import Part
    from gpuplane.plan.plan import Plan
    from gpuplane.plan.running_nodes import RunningNodes
    from gpuplane.platform_repository import PlatformRepository
    from gpuplane.pull_request.pull_request import PullRequest


FAIL_ON = ("deferred", "rolling", "disruptive", "immutable", "dangerous", "never")
"""The values of `FailOn`. The webhook's image has this module, but no `charts_py`."""


def _fail_on(text: str) -> str:
    if text in FAIL_ON:
        return text
    allowed = f"{', '.join(FAIL_ON)}{nearest_hint(nearest(text, FAIL_ON))}"
    raise typer.BadParameter(f'a plan cannot fail on "{text}"; allowed: {allowed}')


_STYLES = {"+": "green", "-": "red", "~": "yellow", "$": "cyan"}


def plan(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    base: Base = None,
    base_exact: BaseExact = False,
    nodes: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[CLUSTER/]POOL=COUNT",
            help="How many nodes of a pool run now; by default, anything from its minimum to its "
            "maximum.",
        ),
    ] = None,
    workloads: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="What runs in the cluster: files or folders of `kubectl get -A -o yaml`, or - for "
            "stdin. Its Nodes count.",
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            parser=_fail_on,
            metavar=f"<{'|'.join(FAIL_ON)}>",
            autocompletion=lambda: [*FAIL_ON],
            help="Exit with 1 on this verdict or a worse one (by default on plan.failOn of "
            "clusters/fleet.yaml).",
        ),
    ] = None,
    comment: Annotated[
        bool,
        typer.Option(
            "--comment",
            help="In GitHub or GitLab CI, keep the plan up to date in one comment on the pull "
            "request, and its verdict in a label.",
        ),
    ] = False,
    stale: Annotated[
        bool,
        typer.Option(
            "--stale",
            help="In CI, mark the comment as one of an earlier commit, and plan nothing; the next "
            "--comment takes that back.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = False,
    mirror: PinnedFiles = None,
    output: AsDocument = DocumentOutput.TEXT,
) -> None:
    """Show what a change does to running clusters.

    ```console
    gpuplane plan                                     # what differs from main
    gpuplane plan --base origin/main -o markdown      # for a pull request
    gpuplane plan training --nodes h100=9             # with 9 nodes, as now
    gpuplane plan --base origin/main --fail-on dangerous
    ```

    One sentence says how bad it is, how many GPUs are out for how long, and what it costs a month.
    Then come, for each cluster, what is removed, what happens to every other object and why,
    quotas, cost, pinned charts, and the version bump that the change needs (docs/plan.md). With
    `--base`, both what Argo CD syncs and what is rendered are compared with where this branch left
    a git reference, by default the main branch. Where nothing differs from the main branch, or git
    knows none, what is rendered is compared with what is live. A cluster file that was edited since
    it was rendered is rendered for it, and nothing is written. Placeholders that are left in
    clusters/ are named on stderr.

    `-o json` prints a `Plan` of `{base, baseCommit, verdict, summary, unchanged, edited,
    renderedHere, items}`; each item is a cluster with `objects`, `outages`, `restarts`, `cost`,
    `allocations`, `pins`, `versionBump`, `workloads` and `notKnown`. Unknown values are null.
    """
    from charts_py.cluster_file.cluster import FailOn
    from gpuplane.plan.planning import PlanRequest, plan_change
    from gpuplane.plan.running_nodes import exported_nodes
    from gpuplane.release.edited_tree import edited_tree
    from gpuplane.versions.base import find_base
    from policies.admission import today

    repository = repository_of(context)
    if stale:
        _mark_stale(repository)
        return
    names = tuple(clusters or ())
    if workloads and not names:
        names = (only_cluster(context),)
    if workloads and len(names) > 1:
        raise typer.BadParameter(
            "they run in one cluster; name exactly one CLUSTER", param_hint="--workloads"
        )
    listed = _read(workloads or ())
    folders = (repository.clusters, repository.dist)
    compared = find_base(repository.directory, base, is_exact=base_exact)
    with progress("rendering what was edited"):
        here = edited_tree(*folders, names, mirror or repository.directory / FETCHED)
    request = PlanRequest(
        clusters=repository.clusters,
        dist=repository.dist,
        today=today(),
        names=names,
        base=compared,
        here=here,
        running=_running(names, nodes or ()),
        exported=exported_nodes(names[0], listed) if listed else {},
        workloads={names[0]: listed} if workloads else {},
    )
    with progress("planning"):
        found = plan_change(request)
    warn_of_faults(found.placeholders)
    _print(found, output)
    if comment:
        _keep_comment(found, repository)
    least = None if fail_on is None else FailOn(fail_on)
    if any(each.fails(least) for each in found.clusters):
        raise typer.Exit(ExitCode.FINDINGS)


def _read(named: Sequence[str]) -> list["Document"]:
    if not named:
        return []
    from gpuplane.admission.manifest_file import read_manifest_file
    from gpuplane.admission.manifest_sources import MAX_EXPORT_BYTES, read_sources

    sources, _ = read_sources(named, read_stdin, max_bytes=MAX_EXPORT_BYTES)
    return [
        one.document
        for source in sources
        for one in read_manifest_file(source.content, source.shown_as)
    ]


def _running(names: tuple[str, ...], nodes: Sequence[str]) -> "RunningNodes":
    from gpuplane.plan.running_nodes import NodeCountError, counted_nodes

    try:
        return counted_nodes(nodes, names)
    except NodeCountError as error:
        raise typer.BadParameter(str(error), param_hint="--nodes") from error


def _print(found: "Plan", output: DocumentOutput) -> None:
    match output:
        case DocumentOutput.JSON:
            from gpuplane.plan.json_format import plan_fields

            print_report(ReportKind.PLAN, plan_fields(found))
        case DocumentOutput.MARKDOWN:
            from gpuplane.plan.markdown_format import to_markdown

            print_text(to_markdown(found))
        case DocumentOutput.TEXT:
            with paged():
                _print_text(found)


def _print_text(found: "Plan") -> None:
    from gpuplane.alike_clusters import names_of, same_holds
    from gpuplane.plan.headline import (
        base_lines,
        edited_lines,
        headline,
        plan_lines,
        sentence,
        versions,
    )
    from gpuplane.plan.markdown_format import alike_plans
    from gpuplane.plan.plan_parts import parts
    from gpuplane.plan.tally import tally

    print_styled(headline(found), "bold")
    for line in base_lines(found):
        print_styled(line)
    for line in edited_lines(found):
        print_styled(line, "yellow")
    for each, others in alike_plans(found):
        print_styled(f"\n{versions(each)}", "bold")
        if others:
            print_styled(same_holds(others))
        for line in (sentence([each]), *plan_lines(each)):
            print_styled(line)
        for part in parts(each, found.base):
            _print_part(part)
    if found.known_unchanged:
        print_styled(f"\nUnchanged: {names_of(found.known_unchanged)}.")
    if found.clusters:
        print_styled(f"\n{tally(found)}", "bold")


def _print_part(part: "Part") -> None:
    from gpuplane.plan.part import object_lines

    print_styled(f"\n{part.title}", "bold")
    for objects in part.objects:
        for line in object_lines(objects):
            print_styled(line, _STYLES.get(line[:1]))
    for table in part.tables:
        print_table(table)
    for number, step in enumerate(part.steps, 1):
        print_styled(f"{number}. {step}")
    for note in part.notes:
        print_styled(note)
    for command in part.commands:
        print_styled(f"$ {command}", _STYLES["$"])


def _pull_request(repository: "PlatformRepository") -> "PullRequest":
    from charts_py.cluster_file.cluster_files import path_in_checkout
    from charts_py.cluster_file.gitops import ROOT
    from gpuplane.pull_request.hosts import pull_request_of

    path = path_in_checkout(repository.directory) or ROOT
    return pull_request_of(os.environ, "" if path == ROOT else path)


def _mark_stale(repository: "PlatformRepository") -> None:
    from gpuplane.pull_request.pull_request import mark_stale

    mark_stale(_pull_request(repository))


def _keep_comment(found: "Plan", repository: "PlatformRepository") -> None:
    from gpuplane.plan.markdown_format import MAX_CHARACTERS, to_markdown
    from gpuplane.pull_request.pull_request import (
        MARKER_LENGTH,
        hide_comment,
        keep_comment,
        keep_label,
    )

    pull_request = _pull_request(repository)
    body = to_markdown(found, MAX_CHARACTERS - MARKER_LENGTH)
    if found.clusters:
        keep_comment(pull_request, body)
        keep_label(pull_request, found.verdict.word)
    else:
        hide_comment(pull_request, body)
        keep_label(pull_request, None)
