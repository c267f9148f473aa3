"""`gpuplane plan`."""

import typer

from gpuplane.commands.arguments import AsDocument, Clusters
from gpuplane.commands.diff import Base
from gpuplane.commands.plan_arguments import (
    Comment,
    Fail,
    Nodes,
    Workloads,
    plan_request,
)
from gpuplane.commands.plan_output import keep_comment, print_plan
from gpuplane.document import DocumentOutput
from gpuplane.exit_code import ExitCode
from gpuplane.platform_repository import repository_of


def plan(
    context: typer.Context,
    clusters: Clusters = None,
    *,
    base: Base = None,
    nodes: Nodes = None,
    workloads: Workloads = None,
    fail_on: Fail = None,
    comment: Comment = False,
    output: AsDocument = DocumentOutput.TEXT,
) -> None:
    """Show what a change does to running clusters, before it is merged.

    One sentence says how bad it is, how many GPUs are out for how long, and what it costs a month.
    Then come, for each cluster, what is removed, what happens to every other object and why,
    quotas, cost, pinned charts, and the version bump that the change needs (docs/plan.md). With
    `--base`, both what Argo CD syncs and what is rendered are compared with a git reference;
    without it, what is rendered here is compared with what is live.

    ```console
    gpuplane plan                                             # from live to what is rendered
    gpuplane plan --base origin/main -o markdown              # as a comment on a pull request
    gpuplane plan training --base origin/main --nodes h100=9  # with the nodes that run now
    gpuplane plan --base origin/main --fail-on dangerous      # as a check in CI
    ```

    `-o json` prints a `Plan` of `{base, verdict, summary, unchanged, items}`; each item is a
    cluster with `objects`, `outages`, `cost`, `allocations`, `pins`, `versionBump`, `workloads` and
    `notKnown`. Unknown values are null.
    """
    from charts_py.cluster_file.plan_policy import FailOn as StatedFailOn
    from gpuplane.plan.planning import plan as make_plan

    repository = repository_of(context)
    names = tuple(clusters or ())
    request = plan_request(repository, names, base, tuple(nodes or ()), tuple(workloads or ()))
    found = make_plan(request)
    print_plan(found, output)
    if comment:
        keep_comment(found)
    least = None if fail_on is None else StatedFailOn(fail_on)
    if any(each.fails(least) for each in found.clusters):
        raise typer.Exit(ExitCode.FINDINGS)
