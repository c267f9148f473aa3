"""`gpuplane rules`."""

from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import AsOutput, Output
from gpuplane.completion import complete_clusters, complete_rules
from gpuplane.platform_repository import repository_of
from gpuplane.report import ReportKind, print_report
from gpuplane.table import new_table, print_table
from gpuplane.terminal import print_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from policies.rule import Rule
    from policies.settings import Settings

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="RULE",
        help="Name of a rule; all are listed by default.",
        show_default=False,
        autocompletion=complete_rules,
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Name of a cluster whose own rules are listed, too.",
        show_default=False,
        autocompletion=complete_clusters,
    ),
]


def rules(
    context: typer.Context,
    rule: Name = None,
    *,
    cluster: Cluster = None,
    output: AsOutput = Output.TEXT,
) -> None:
    """List the rules for GPU pods in the order in which they run, or print the page of one.

    A rule of kind `fix` changes the pod, `refuse` denies it, `warn` warns its author. Those of
    `gpuplane lint` alone have pages, too.

    ```console
    gpuplane rules                      # all rules
    gpuplane rules shared-memory        # what it does and why, with an example
    gpuplane rules --cluster training   # with those of the cluster's own, of which a page
                                        # has all fields
    ```

    `-o json` prints a `RuleList` of `{name, kind, summary}`.
    """
    if rule is not None:
        print_document(_page(context, rule, cluster))
        return
    listed = _rules(context, cluster)
    if output is Output.JSON:
        rows = [{"name": r.name, "kind": r.severity, "summary": r.summary} for r in listed]
        print_report(ReportKind.RULES, {"items": rows})
    else:
        table = new_table("Rule", "Kind", "Summary")
        for row in listed:
            table.add_row(row.name, row.severity, row.summary)
        print_table(table)


def _rules(context: typer.Context, cluster: str | None) -> "Sequence[Rule]":
    from policies.rules import RULES

    if cluster is None:
        return RULES
    from policies.own.own_rules import own_rules

    return (*RULES, *own_rules(_settings(context, cluster)))


def _settings(context: typer.Context, cluster: str) -> "Settings":
    from charts_py.admission.cluster_engine import cluster_engine

    return cluster_engine(repository_of(context).clusters, cluster).settings


def _page(context: typer.Context, name: str, cluster: str | None) -> str:
    from msgspec import to_builtins

    from charts_py.lint.lint_rule_page import lint_rule_page
    from charts_py.lint.registry import TEMPLATE_RULES
    from charts_py.objects.manifest_yaml import to_yaml
    from charts_py.release.dist_error import DistError
    from gpus.nearest import nearest_hint
    from policies.nearest_rules import nearest_rules
    from policies.rule_name import RuleName
    from policies.rule_page import rule_page

    if name in set(RuleName):
        return rule_page(RuleName(name))
    linted = {rule.name: rule for rule in TEMPLATE_RULES}
    if name in linted:
        return lint_rule_page(linted[name])
    stated = () if cluster is None else _settings(context, cluster).own
    for own in stated:
        if own.name == name:
            kinds = {"severity": own.severity.value, "audience": own.audience.value}
            return to_yaml({"name": name, **kinds, **to_builtins(own)})
    names = [*linted, *(own.name for own in stated)]
    hint = nearest_hint(nearest_rules(name, names))
    raise DistError(f'unknown rule "{name}"; allowed: {", ".join([*RuleName, *names])}{hint}')
