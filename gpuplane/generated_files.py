"""The pages and schemas that are generated from what the code knows; `make docs` writes them."""

from pathlib import Path

import typer

from charts_py.objects.bundled_node import use_bundled_node
from gpuplane.application import create_application
from gpuplane.errors import EXIT_CODES
from gpuplane.new_repository.repository import gitlab_pipeline, pull_request_action
from gpuplane.platform_repository import PlatformRepository
from gpuplane.reference.cluster_file import cluster_file_reference
from gpuplane.reference.command_line import command_line_reference
from gpuplane.reference.component_page import component_reference
from gpuplane.reference.controllers_page import controllers_reference
from gpuplane.reference.hardware import hardware_reference
from gpuplane.reference.monitoring_pages import alerts_page, recorded_series_page
from gpuplane.reference.prerequisites_page import prerequisites_page
from gpuplane.reference.schema import schema_files


def generated_files(root: Path) -> dict[str, str]:
    """Return the content of each file, by its path from the root of gpuplane's own repository."""
    return {
        "docs/prerequisites.md": prerequisites_page(),
        "docs/reference/alerts.md": alerts_page(),
        "docs/reference/cluster-file.md": cluster_file_reference(),
        "docs/reference/command-line.md": command_line_reference(create_application(), EXIT_CODES),
        "docs/reference/components.md": component_reference(PlatformRepository(root).clusters),
        "docs/reference/controllers.md": controllers_reference(),
        "docs/reference/hardware.md": hardware_reference(),
        "docs/reference/recorded-series.md": recorded_series_page(),
        "actions/pull-request/action.yaml": pull_request_action(),
        "ci/gitlab.yaml": gitlab_pipeline(),
        **{f"schemas/{name}": text for name, text in schema_files().items()},
    }


def write_generated_files(root: Path) -> None:
    for path, text in generated_files(root).items():
        (root / path).write_text(text, encoding="utf-8")
        typer.echo(path)


if __name__ == "__main__":
    use_bundled_node()
    write_generated_files(Path())
