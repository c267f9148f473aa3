"""`gpuplane new llm`."""

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
    MaxReplicas,
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


def new_llm(
    context: typer.Context,
    name: Name = None,
    program: Annotated[
        list[str] | None,
        typer.Argument(metavar="OPTION...", help="Further options of the engine, after --."),
    ] = None,
    *,
    weights: Annotated[
        str | None,
        typer.Option(
            metavar="MODEL",
            help="Id on Hugging Face, path below /data, s3://, gs://, oci://, cache://, models:/.",
        ),
    ] = None,
    parameters: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="How many the model has, such as 8B.")
    ] = None,
    precision: Annotated[
        str | None, typer.Option(help="bf16 by default; fp16, fp8, int8, fp4 or int4.")
    ] = None,
    context_tokens: Annotated[
        int | None, typer.Option("--context", help="Tokens of a request; 8192 by default.")
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(help="Requests at once; 16 by default.")
    ] = None,
    kv_bytes_per_token: Annotated[
        int | None, typer.Option(help="Of the KV cache, where that is not known.")
    ] = None,
    kv_heads: Annotated[
        int | None,
        typer.Option(
            help="KV heads of the model, where not known; 1 for MLA.", rich_help_panel=MORE_OPTIONS
        ),
    ] = None,
    token_secret: Annotated[
        str | None,
        typer.Option(
            metavar="NAME[:KEY]",
            help="Secret with a token of Hugging Face; its key is token.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = None,
    engine: Annotated[
        str | None, typer.Option(help="vllm by default; sglang or tensorrt-llm.")
    ] = None,
    replicas: Replicas = None,
    prefill_replicas: Annotated[
        int | None,
        typer.Option(
            help="Copies that compute prompts; those of --replicas then decode.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = None,
    max_replicas: MaxReplicas = None,
    canary: Canary = False,
    cluster: Cluster = None,
    team: Team = None,
    namespace: Namespace = None,
    pool: Pool = None,
    gpu: Gpu = None,
    gpus: Annotated[
        int | None, typer.Option(help="Of each pod; by default as few as it fits on.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(help="Of each replica; by default as few as it fits on.")
    ] = None,
    image: Annotated[
        str | None, typer.Option(help="By default the engine's own, where that is allowed.")
    ] = None,
    resource: Resource = None,
    priority: Priority = None,
    data: Data = None,
    cache: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE|none",
            help="Volume for weights, at /cache; by default their size and 20Gi.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = None,
    storage_class: StorageClass = None,
    drain: Drain = None,
    picker: Annotated[
        bool,
        typer.Option(
            "--picker",
            help="Choose among replicas by queues and caches, by an InferencePool.",
            rich_help_panel=MORE_OPTIONS,
        ),
    ] = False,
    explain: Explain = False,
    to_file: ToFile = None,
    overwrite: Overwrite = False,
) -> None:
    r"""Print the manifest of a server of a language model that suits a cluster.

    ```console
    gpuplane new llm chat -c mixed --pool a100train --weights Qwen/Qwen3-32B \
      --parameters 32B --image registry.example.com/vllm:0.30.0
    ```

    A model that does not fit is refused with the arithmetic, and with the pools on
    which it would (docs/serving.md). On several nodes it is a LeaderWorkerSet.
    """
    from gpuplane.workloads.asked import Asked

    asked = Asked(
        kind="llm",
        name=name or "",
        team=team,
        namespace=namespace,
        pool=pool,
        gpu=gpu,
        resource=resource,
        gpus=gpus,
        nodes=nodes,
        image=image,
        program=tuple(program or ()),
        data=data,
        priority=priority,
        checkpoint=cache,
        storage_class=storage_class,
        replicas=replicas,
        drain=drain,
        prefill_replicas=prefill_replicas,
        max_replicas=max_replicas,
        canary=canary,
        engine=engine,
        weights=weights,
        parameters=parameters,
        precision=precision,
        context=context_tokens,
        concurrency=concurrency,
        kv_bytes_per_token=kv_bytes_per_token,
        kv_heads=kv_heads,
        token_secret=token_secret,
        picker=picker,
    )
    print_asked(context, asked, cluster, to_file, explain=explain, overwrite=overwrite)
