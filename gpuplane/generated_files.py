"""Every file of gpuplane's own repository that is generated from its code."""

from pathlib import Path

import typer

from gpuplane.command_line_reference import command_line_reference
from gpuplane.new_repository.repository import pull_request_action
from gpuplane.platform_repository import PlatformRepository
from gpuplane.reference.cluster_file import cluster_file_reference
from gpuplane.reference.component_page import component_reference
from gpuplane.reference.hardware import hardware_reference
from gpuplane.reference.monitoring_pages import alerts_page, recorded_series_page
from gpuplane.reference.prerequisites_page import prerequisites_page
from gpuplane.reference.schema import schema_files


def generated_files(
    application: typer.Typer, repository: PlatformRepository, pages: Path
) -> dict[str, str]:
    """Return the text of each file by its path below the repository."""
    return {
        (pages / "alerts.md").as_posix(): alerts_page(),
        (pages / "cluster-file.md").as_posix(): cluster_file_reference(),
        (pages / "components.md").as_posix(): component_reference(repository.clusters),
        (pages / "hardware.md").as_posix(): hardware_reference(),
        (pages / "recorded-series.md").as_posix(): recorded_series_page(),
        (pages.parent / "prerequisites.md").as_posix(): prerequisites_page(),
        (pages / "command-line.md").as_posix(): command_line_reference(application),
        "actions/pull-request/action.yaml": pull_request_action(),
        **{f"schemas/{name}": text for name, text in schema_files().items()},
    }
