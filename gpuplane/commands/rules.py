"""`gpuplane rules`."""

from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.commands.arguments import Json
from gpuplane.terminal import new_table, print_json, print_table

if TYPE_CHECKING:
    from policies.rule_name import RuleName

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="RULE", help="Name of a rule; all are listed by default.", show_default=False
    ),
]


def rules(rule: Name = None, *, as_json: Json = False) -> None:
    """List the rules for GPU pods in the order in which they run, or print the page of one.

    A rule of kind `fix` changes the pod, `refuse` denies it, `warn` warns its author.

    ```console
    gpuplane rules                 # all rules
    gpuplane rules shared-memory   # what it does and why, with an example
    ```

    `--json` prints a list of `{name, kind, summary}`.
    """
    from policies.rule_page import rule_page
    from policies.rules import RULES

    if rule is not None:
        typer.echo(rule_page(_named(rule)), nl=False)
    elif as_json:
        print_json([{"name": r.name, "kind": r.severity, "summary": r.summary} for r in RULES])
    else:
        table = new_table("Rule", "Kind", "Summary")
        for row in RULES:
            table.add_row(row.name, row.severity, row.summary)
        print_table(table)


def _named(name: str) -> "RuleName":
    from charts_py.release.dist_error import unknown
    from policies.rule_name import RuleName

    if name not in set(RuleName):
        raise unknown("rule", name, tuple(RuleName))
    return RuleName(name)
