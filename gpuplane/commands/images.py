import re
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from gpuplane.commands.arguments import AsOutput, Output, warn_of_older
from gpuplane.commands.named_clusters import clusters_and_version, split_version
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, attributes, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.tables import Table, print_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpuplane.images import ListedImage


Tool: TypeAlias = Literal["skopeo", "oras", "crane"]
"""Programs that copy images: `COPY_TOOLS`, which the image of the webhook does not contain."""
_SYSTEM = re.compile(r"[a-z][a-z-]*[0-9][a-z0-9.]*")
"""`osTag` in controllers/state_manager.go of https://github.com/NVIDIA/gpu-operator at v26.7.0."""


def images(
    context: typer.Context,
    clusters: Annotated[
        list[str] | None, clusters_and_version("By default all, as their files render them.")
    ] = None,
    *,
    node_os: Annotated[
        list[str] | None,
        typer.Option(
            "--node-os",
            help="Operating system of GPU nodes, such as ubuntu24.04, for drivers that are "
            "installed from an image for each; once for each system.",
        ),
    ] = None,
    output: AsOutput = Output.TEXT,
    copy: Annotated[
        Tool | None, typer.Option(help="Print the commands that copy them to the mirrors.")
    ] = None,
) -> None:
    """List every container image that clusters run.

    ```console
    gpuplane images                   # of all clusters
    gpuplane images training 1.2.0    # of an earlier version
    gpuplane images onprem --node-os ubuntu24.04 --copy skopeo > copy.sh
    ```

    Each stands once, with what it is a copy of where `registries` of the cluster file names a
    mirror, and with the components that run it. What operators run by their custom resources and
    variables is listed, too. `NODE_OS` in a tag stands for the operating system of the nodes,
    unless `--node-os` names it.

    `-o json` prints an `ImageList` of `{name, original, mirrored, digest, usedBy}`; `mirrored` and
    `digest` are null where they are not known. Where a chart is not the pinned one, its images are
    missing: it is named on stderr, and the exit code is 3.
    """
    from gpuplane.images import list_images
    from gpuplane.versions.check import selected_platforms

    if copy is not None and output is Output.JSON:
        raise typer.BadParameter("--copy and -o json cannot be used together")
    systems = tuple(dict.fromkeys(node_os or ()))
    for system in systems:
        if not _SYSTEM.fullmatch(system):
            raise typer.BadParameter(f'--node-os "{system}"; allowed: one such as ubuntu24.04')
    repository = repository_of(context)
    names, version = split_version(clusters)
    listed = list_images(repository.clusters, repository.dist, names, version, systems)
    if version is None:
        warn_of_older(repository, selected_platforms(repository.clusters, names))
    if copy is not None:
        _print_copies(listed.images, copy)
    elif output is Output.JSON:
        fields = ("name", "original", "mirrored", "digest", "used_by")
        rows = [attributes(image, *fields) for image in listed.images]
        print_report(ReportKind.IMAGES, {"items": rows})
    else:
        cells = tuple(
            (one.name, one.original if one.original != one.name else "", "\n".join(one.used_by))
            for one in listed.images
        )
        print_table(Table(("Image", "Copy of", "Used by"), cells, words=3))
    for chart in listed.unknown_charts:
        typer.echo(str(chart), err=True)
    if listed.unknown_charts:
        raise typer.Exit(ExitCode.ENVIRONMENT)


def _print_copies(listed: "Sequence[ListedImage]", tool: Tool) -> None:
    from gpuplane.images import NODE_OS, copy_command

    copied = [(image.original, image.mirrored) for image in listed if image.mirrored is not None]
    if any(mirrored.endswith(f"-{NODE_OS}") for _, mirrored in copied):
        raise typer.BadParameter(
            "drivers have an image for each operating system of nodes: --node-os, such as "
            "ubuntu24.04, is missing"
        )
    for command in sorted({copy_command(tool, *places) for places in copied}):
        typer.echo(command)
    for image in listed:
        if image.mirrored is None:
            typer.echo(f"{image.name}: not copied: registries has no mirror for it", err=True)
