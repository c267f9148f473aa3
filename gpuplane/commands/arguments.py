"""Arguments and options that several commands take."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gpuplane.completion import complete_clusters
from gpuplane.document import DocumentOutput

FETCHED = Path(".tools/upstream")
"""Where the pinned files of other projects are kept; not part of the repository."""

MIRROR_VARIABLE = "GPUPLANE_MIRROR"
"""Names the folder where they are elsewhere."""


class Output(StrEnum):
    """What a command prints on stdout."""

    TEXT = "text"
    JSON = "json"


AsOutput = Annotated[
    Output, typer.Option("--output", "-o", help="What to print on stdout: for people, or a report.")
]

AsDocument = Annotated[
    DocumentOutput,
    typer.Option("--output", "-o", help="What to print; Markdown is GitHub's, for a comment."),
]


def each_once(names: list[str] | None) -> list[str] | None:
    """Return names without those that are repeated."""
    return None if names is None else list(dict.fromkeys(names))


Clusters = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="CLUSTER...",
        help="Names of clusters; all by default.",
        show_default=False,
        autocompletion=complete_clusters,
        callback=each_once,
    ),
]

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print only what is wrong.")]
