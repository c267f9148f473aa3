"""`gpuplane init`."""

from pathlib import Path
from typing import Annotated

import typer

from gpuplane.completion import complete_providers
from gpuplane.terminal import print_styled

Folder = Annotated[Path, typer.Argument(help="Folder to write to; new or empty.")]
Place = Annotated[
    str,
    typer.Option(
        help="Where the example cluster runs: eks, gke, aks or onprem.",
        autocompletion=complete_providers,
    ),
]


def init(directory: Folder, *, provider: Place = "eks") -> None:
    """Write a new platform repository that is ready to render.

    It has an example cluster with comments, a file for what clusters share, the schemas for
    editors, a Makefile, a workflow for pull requests, and this version of gpuplane pinned.

    ```console
    gpuplane init gpu-platform --provider gke
    cd gpu-platform && make synth
    ```
    """
    from charts_py.new_repository.repository import write_new_repository
    from charts_py.release.dist_error import unknown
    from gpus.provider import Provider

    providers = [known.value for known in Provider]
    if provider not in providers:
        raise unknown("provider", provider, providers)
    for path in write_new_repository(directory, Provider(provider)):
        print_styled(path)
