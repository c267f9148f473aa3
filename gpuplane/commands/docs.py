"""`gpuplane docs`, for gpuplane's own repository: the generated pages and schemas."""

from pathlib import Path
from typing import Annotated

import typer

from gpuplane.platform_repository import repository_of

Write = Annotated[
    Path, typer.Option(metavar="DIRECTORY", help="Folder of the pages, below --directory.")
]


def docs(context: typer.Context, *, write: Write = Path("docs/reference")) -> None:
    """Regenerate docs/reference/, docs/prerequisites.md and schemas/."""
    from charts_py.objects.bundled_node import use_bundled_node

    use_bundled_node()
    from gpuplane.application import create_application
    from gpuplane.generated_files import generated_files

    repository = repository_of(context)
    for path, text in generated_files(create_application(), repository, write).items():
        target = repository.directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        typer.echo(target)
