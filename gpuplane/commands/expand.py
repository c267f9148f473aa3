from pathlib import Path
from typing import Annotated

import typer

from gpuplane.commands.arguments import Overwrite
from gpuplane.commands.named_clusters import ForCluster
from gpuplane.commands.new import print_workload
from gpuplane.commands.workload_options import Explain, ToFile
from gpuplane.platform_repository import repository_of


def expand(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File with a DistributedTraining.")],
    *,
    cluster: ForCluster = "",
    explain: Explain = False,
    to_file: ToFile = None,
    overwrite: Overwrite = False,
) -> None:
    """Print the TrainJob that a DistributedTraining stands for.

    ```console
    gpuplane expand transformer.yaml -c training | kubectl apply -f -
    ```

    A DistributedTraining says what is trained, on how many GPUs and for how long, and nothing of
    the cluster: the same file is right for several (docs/workloads.md).
    """
    from gpuplane.admission.loaded_rules import cluster_platform
    from gpuplane.workloads.distributed_training import expand as expanded, read_training

    declared = read_training(file)
    platform = cluster_platform(repository_of(context).clusters, cluster)
    print_workload(expanded(declared, platform), to_file, explain=explain, overwrite=overwrite)
