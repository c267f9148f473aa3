"""`gpuplane docs`."""

from typing import Annotated

import typer

from gpuplane.pages import CONTENTS, page_names, page_text
from gpuplane.terminal import is_terminal, paged, print_document


def docs(
    page: Annotated[
        str,
        typer.Argument(
            metavar="PAGE",
            help="Name of a page, as links have it; by default, the list of pages.",
            autocompletion=page_names,
        ),
    ] = CONTENTS,
) -> None:
    """Print a page of the documentation.

    ```console
    gpuplane docs                # the list of pages
    gpuplane docs plan           # what a change does to running clusters
    gpuplane docs docs/plan.md   # the same, as messages and help name it
    ```

    A terminal shows it formatted; a pipe or a file gets its Markdown.
    """
    text = page_text(page)
    if is_terminal():
        _show(text)
    else:
        print_document(text)


def _show(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    with paged():
        Console().print(Markdown(text))
