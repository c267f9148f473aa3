"""Arguments and options that several commands take."""

from typing import Annotated

import typer

Clusters = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="CLUSTER", help="Names of clusters; all by default.", show_default=False
    ),
]

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else.")]
