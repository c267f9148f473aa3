from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import AsOutput, Output
from gpuplane.commands.named_clusters import cluster_option
from gpuplane.completion import complete_rules
from gpuplane.json_output import ReportKind, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.tables import Table, print_table
from gpuplane.terminal import print_document

if TYPE_CHECKING:
    from policies.settings import Settings


def rules(
    context: typer.Context,
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="RULE",
            help="Name of a rule; all are listed by default.",
            autocompletion=complete_rules,
        ),
    ] = None,
    *,
    cluster: Annotated[
        str | None, cluster_option("Name or file of a cluster whose own rules are listed, too.")
    ] = None,
    output: AsOutput = Output.TEXT,
) -> None:
    """List the admission rules, or explain one.

    ```console
    gpuplane rules                      # all rules
    gpuplane rules shared-memory        # what it does and why, with an example
    gpuplane rules --cluster training   # with the cluster's own
    ```

    A rule of kind `fix` changes the pod, `refuse` denies it, `warn` warns its author. Those of
    `gpuplane lint` alone have pages, too.

    `-o json` prints a `RuleList` of `{name, kind, summary}`.
    """
    from policies.rules import RULES

    if rule is not None:
        print_document(_page(context, rule, cluster))
        return
    listed = RULES
    if cluster is not None:
        from policies.custom.rules import custom_rules

        listed = (*RULES, *custom_rules(_settings(context, cluster)))
    if output is Output.JSON:
        rows = [{"name": r.name, "kind": r.severity, "summary": r.summary} for r in listed]
        print_report(ReportKind.RULES, {"items": rows})
    else:
        cells = tuple((r.name, r.severity, r.summary) for r in listed)
        print_table(Table(("Rule", "Kind", "Summary"), cells, words=3))


def _settings(context: typer.Context, cluster: str) -> "Settings":
    from gpuplane.admission.loaded_rules import cluster_engine

    return cluster_engine(repository_of(context).clusters, cluster).settings


def _page(context: typer.Context, name: str, cluster: str | None) -> str:
    from gpuplane.admission.rule_text import rule_text
    from gpuplane.lint.registry import lint_rule_pages

    own = () if cluster is None else _settings(context, cluster).own
    return rule_text(name, own, lint_rule_pages())
