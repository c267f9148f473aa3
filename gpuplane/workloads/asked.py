"""What somebody asks of a workload; what is None is left to the cluster and the kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from charts_py.cluster_file.fault import Problem, RenderError
from gpuplane.workloads.model_version import ModelVersion


class AskedError(RenderError):
    """Raised with every problem; the path of each is the option of `gpuplane new`."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


NO_CHECKPOINT = "none"
"""Stands in place of a size where there is no volume."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A workload as it is asked for; nothing of it is checked."""

    kind: str
    name: str
    team: str | None = None
    namespace: str | None = None
    pool: str | None = None
    gpu: str | None = None
    """GPU model instead of a pool."""
    resource: str | None = None
    """The resource to ask for, of a pool that offers several."""
    gpus: int | None = None
    nodes: int | None = None
    image: str | None = None
    program: tuple[str, ...] = ()
    """A Python script and its arguments."""
    framework: str | None = None
    data: str | None = None
    """Claim of a volume with what the program reads."""
    model: str | None = None
    priority: str | None = None
    hours: int | None = None
    checkpoint: str | None = None
    """Size of the volume for checkpoints, or `none`."""
    storage_class: str | None = None
    expected: float | None = None
    """GB/s that a test of the network is to reach."""
    replicas: int | None = None
    """Copies of a server, or the fewest of them where there may be more."""
    prefill_replicas: int | None = None
    """Those that compute prompts alone, beside the others, which then write the answers."""
    max_replicas: int | None = None
    """The most that KEDA makes of them."""
    canary: bool = False
    """Whether Argo Rollouts replaces a few replicas first."""
    engine: str | None = None
    port: int | None = None
    weights: str | None = None
    """Id of a language model on Hugging Face, or the path to its weights."""
    model_version: ModelVersion | None = None
    """The version in the model registry whose weights these are."""
    parameters: str | None = None
    """How many it has, such as 8B."""
    precision: str | None = None
    context: int | None = None
    concurrency: int | None = None
    kv_bytes_per_token: int | None = None
    kv_heads: int | None = None
    drain: int | None = None
    """Seconds for requests that a server has when it ends."""
    picker: bool = False
    """Whether a picker chooses among replicas of a server."""
    token_secret: str | None = None
    """The Secret with a token of Hugging Face, and its key behind a colon."""


def wrong(option: str, what: str, allowed: str | None = None) -> AskedError:
    return AskedError([Problem((option,), what, allowed)])
