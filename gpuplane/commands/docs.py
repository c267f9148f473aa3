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
    *,
    serve: Annotated[
        bool, typer.Option("--serve", help="Serve the pages to browsers on this machine.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Port on loopback to serve them on; by default a free one."
        ),
    ] = None,
) -> None:
    """Print a page of the documentation, or serve all.

    ```console
    gpuplane docs                # the list of pages
    gpuplane docs plan           # what a change does to running clusters
    gpuplane docs docs/plan.md   # the same, as messages and help name it
    gpuplane docs --serve        # all pages in a browser
    ```

    A terminal shows it formatted; a pipe or a file gets its Markdown.
    """
    text = page_text(page)
    if port is not None and not serve:
        raise typer.BadParameter("only --serve listens on a port", param_hint="--port")
    if serve:
        from gpuplane.loopback_server import run_server
        from gpuplane.served_pages import page_server

        run_server(page_server, port or 0, "the pages are")
    elif is_terminal() and not page.endswith(".yaml"):
        _show(text)
    else:
        print_document(text)


def _show(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    with paged():
        Console().print(Markdown(text))
