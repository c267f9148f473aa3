"""`gpuplane docs`, for gpuplane's own repository: the generated pages and schemas."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from gpuplane.platform_repository import PlatformRepository, repository_of


def docs(
    context: typer.Context,
    *,
    write: Annotated[
        Path, typer.Option(metavar="DIRECTORY", help="Folder of the pages, below --directory.")
    ] = Path("docs/reference"),
) -> None:
    """Regenerate docs/reference/, docs/prerequisites.md and schemas/."""
    from charts_py.objects.bundled_node import use_bundled_node

    use_bundled_node()
    from gpuplane.application import create_application

    repository = repository_of(context)
    for path, text in generated_files(create_application(), repository, write).items():
        target = repository.directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        typer.echo(target)


def generated_files(
    application: typer.Typer, repository: PlatformRepository, pages: Path
) -> dict[str, str]:
    from gpuplane.new_repository.repository import pull_request_action
    from gpuplane.reference.cluster_file import cluster_file_reference
    from gpuplane.reference.component_page import component_reference
    from gpuplane.reference.controllers_page import controllers_reference
    from gpuplane.reference.hardware import hardware_reference
    from gpuplane.reference.monitoring_pages import alerts_page, recorded_series_page
    from gpuplane.reference.prerequisites_page import prerequisites_page
    from gpuplane.reference.schema import schema_files

    return {
        (pages / "alerts.md").as_posix(): alerts_page(),
        (pages / "cluster-file.md").as_posix(): cluster_file_reference(),
        (pages / "components.md").as_posix(): component_reference(repository.clusters),
        (pages / "controllers.md").as_posix(): controllers_reference(),
        (pages / "hardware.md").as_posix(): hardware_reference(),
        (pages / "recorded-series.md").as_posix(): recorded_series_page(),
        (pages.parent / "prerequisites.md").as_posix(): prerequisites_page(),
        (pages / "command-line.md").as_posix(): command_line_reference(application),
        "actions/pull-request/action.yaml": pull_request_action(),
        **{f"schemas/{name}": text for name, text in schema_files().items()},
    }


def command_line_reference(application: typer.Typer) -> str:
    """Return the help of all commands but hidden ones as Markdown."""
    command = typer.main.get_command(application)
    lines = ["# The command line", "", *_page(command, "gpuplane", depth=1)]
    return "\n".join(lines).rstrip() + "\n"


def _page(
    command: Any, name: str, *, depth: int, parent: typer.Context | None = None
) -> Iterator[str]:
    context = typer.Context(command, info_name=name, parent=parent, **command.context_settings)
    yield command.help
    yield ""
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    yield from ("```console", usage, "```", "")
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    if rows := [f"- `{name}`: {text}" for name, text in filter(None, records)]:
        yield from (*rows, "")
    if command.epilog and depth == 1:  # the exit codes, which are those of every command
        yield from (command.epilog, "")
    for inner in getattr(command, "commands", {}).values():
        if not inner.hidden:
            title = f"{name} {inner.name}"
            yield from (f"{'#' * (depth + 1)} {title}", "")
            yield from _page(inner, title, depth=depth + 1, parent=context)
