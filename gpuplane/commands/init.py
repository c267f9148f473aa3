from pathlib import Path
from typing import Annotated

import typer

from gpuplane.commands.new_cluster import (
    Cpu,
    Gpu,
    Gpus,
    Memory,
    Nodes,
    Provider,
    Purpose,
    Region,
    Teams,
)
from gpuplane.terminal import print_styled


def init(
    directory: Annotated[
        Path | None, typer.Argument(help="Folder to write to; new or empty.")
    ] = None,
    *,
    cluster: Annotated[
        str | None, typer.Option(metavar="NAME", help="What its cluster is called: example.")
    ] = None,
    provider: Provider = None,
    region: Region = None,
    gpu: Gpu = None,
    nodes: Nodes = None,
    gpus: Gpus = None,
    cpu: Cpu = None,
    memory: Memory = None,
    purpose: Purpose = None,
    team: Teams = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="SOURCE",
            help="Where the repository gets gpuplane from; by default where this one came from.",
        ),
    ] = None,
) -> None:
    """Write a new platform repository that is ready to render.

    ```console
    gpuplane init gpu-platform --provider gke
    cd gpu-platform && gpuplane synth

    gpuplane init gpu-platform --cluster train --gpu H100-SXM --nodes 4
    gpuplane init gpu-platform --from gpuplane-0.1.0-py3-none-any.whl
    gpuplane init gpu-platform --from https://HOST/gpuplane.whl#sha256=DIGEST
    gpuplane init gpu-platform --from git+https://HOST/gpuplane.git@TAG#COMMIT
    ```

    It has a cluster as `gpuplane new cluster` writes it, of EKS unless options say otherwise; a
    file for what clusters share, the schemas for editors, a Makefile, workflows for pull requests
    and for the webhook's image, and this version of gpuplane with all that it needs, pinned by
    hashes. The written files are listed on stdout, what is left to do on stderr.

    gpuplane is never installed by its name from a package index. `--from` takes a wheel, which the
    repository then holds; a checkout, of which a wheel is built; the address of a wheel with its
    sha256; or a commit of git. Without it that is where this gpuplane was installed from, and an
    error where its installer did not write that down.
    """
    if directory is None:
        raise typer.BadParameter("name a folder, such as gpuplane init gpu-platform")
    from importlib.metadata import distribution

    from gpuplane.new_repository.asked_cluster import AskedCluster, checked, with_usual
    from gpuplane.new_repository.repository import next_steps, write_new_repository
    from gpuplane.new_repository.source import given_source, installed_source

    teams = tuple(team or ())
    asked = AskedCluster(cluster, provider, region, gpu, nodes, gpus, cpu, memory, purpose, teams)
    wanted = checked(with_usual(asked))
    origin = installed_source(distribution("gpuplane")) if source is None else given_source(source)
    for path in write_new_repository(directory, wanted, origin):
        print_styled(path)
    typer.echo("next:", err=True)
    for number, step in enumerate(next_steps(directory), start=1):
        typer.echo(f"{number}. {step}", err=True)
