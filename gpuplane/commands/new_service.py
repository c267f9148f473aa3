"""`gpuplane new service`."""

from typing import Annotated

import typer

from gpuplane.commands.arguments import Overwrite
from gpuplane.commands.new import print_asked
from gpuplane.commands.workload_options import (
    Canary,
    Cluster,
    Data,
    Drain,
    Explain,
    Gpu,
    Name,
    Namespace,
    Pool,
    Priority,
    Replicas,
    Resource,
    StorageClass,
    Team,
    ToFile,
)
from gpuplane.parameter_rows import MORE_OPTIONS


def new_service(
    context: typer.Context,
    name: Name = None,
    program: Annotated[
        list[str] | None,
        typer.Argument(metavar="ARGUMENT...", help="Arguments of the image's program, after --."),
    ] = None,
    *,
    image: Annotated[
        str | None, typer.Option(help="Image of the server; by default that of --engine.")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Where it answers; 8080 by default.")] = None,
    engine: Annotated[
        str | None, typer.Option(help="triton, for its ports, probes, metrics and image.")
    ] = None,
    replicas: Replicas = None,
    canary: Canary = False,
    cluster: Cluster = None,
    team: Team = None,
    namespace: Namespace = None,
    pool: Pool = None,
    gpu: Gpu = None,
    gpus: Annotated[int | None, typer.Option(help="GPUs of each replica; 1 by default.")] = None,
    data: Data = None,
    resource: Resource = None,
    priority: Priority = None,
    cache: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE|none",
            help="Volume for what it keeps, at /cache; none by default.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = None,
    storage_class: StorageClass = None,
    drain: Drain = None,
    explain: Explain = False,
    to_file: ToFile = None,
    overwrite: Overwrite = False,
) -> None:
    """Print the manifest of any server on GPUs that suits a cluster.

    ```console
    gpuplane new service rank -c mixed --image nvcr.io/nvidia/rank:1 --port 9000
    gpuplane new service models -c mixed --engine triton --data repository
    ```

    A server that is not known is probed by a connection to its port. For language
    models, gpuplane new llm counts what they take (docs/serving.md).
    """
    from gpuplane.workloads.asked import Asked

    asked = Asked(
        kind="service",
        name=name or "",
        team=team,
        namespace=namespace,
        pool=pool,
        gpu=gpu,
        resource=resource,
        gpus=gpus,
        image=image,
        program=tuple(program or ()),
        data=data,
        priority=priority,
        checkpoint=cache,
        storage_class=storage_class,
        replicas=replicas,
        canary=canary,
        drain=drain,
        engine=engine,
        port=port,
    )
    print_asked(context, asked, cluster, to_file, explain=explain, overwrite=overwrite)
