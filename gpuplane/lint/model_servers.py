"""Servers of language models, and the GPUs on which they split a model.

vLLM, SGLang and TensorRT-LLM run a process on each of tensor x pipeline GPUs, on all pods of a
group together. Replicas by data parallelism take as many each, except where SGLang splits only
attention among them. https://docs.vllm.ai/en/stable/serving/parallelism_scaling/,
https://docs.sglang.io/advanced_features/server_arguments.html and
https://nvidia.github.io/TensorRT-LLM/commands/trtllm-serve/. TGI calls it shards:
https://huggingface.co/docs/text-generation-inference/reference/launcher
"""

import re
from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from gpuplane.lint.declared_number import DeclaredNumber, DeclaredOptions, command_text
from policies.container import Container

_SERVER = re.compile(r"vllm|sglang|trtllm|tensorrt[-_]?llm|text-generation-", re.IGNORECASE)
_ON_OTHER_PODS = re.compile(
    r"\bray\b|nnodes|node[-_]rank|multi[-_]node|mpirun|srun|torchrun|dist-init-addr|headless"
)
_BESIDE = re.compile(
    r"&\s|&$|\b(for|while|xargs|parallel)\b|gpu-id|VISIBLE_DEVICES|VLLM_DP_|context-parallel"
    r"|data-parallel-(?!size[ =])|-dp[alnr]\b"
)
_TENSOR = ("tensor-parallel-size", "tp", "tp-size", "num-shard")
_PIPELINE = ("pipeline-parallel-size", "pp", "pp-size")
_DATA = ("data-parallel-size", "dp", "dp-size")


class Parallelism(NamedTuple):
    """On how many GPUs a server splits a model, as far as its command says so literally."""

    declared: Sequence[DeclaredNumber]
    """That of tensor parallelism is the first."""
    products: Sequence[int]
    """GPUs of one replica of the model, and of all."""
    may_span_pods: bool
    """Whether other pods may run some of its processes."""
    may_leave_gpus: bool
    """Whether other processes may use the other GPUs of the container."""

    @property
    def stated(self) -> str:
        if len(self.declared) == 1:
            return f"{self.declared[0].name} is {self.declared[0].value}"
        factors = " x ".join(f"{each.name} {each.value}" for each in self.declared)
        return f"{factors} is {self.products[-1]}"


def is_model_server(container: Container) -> bool:
    return bool(_SERVER.search(f"{container.image} {command_text(container)}"))


def parallelism(container: Container) -> Parallelism | None:
    """Return what the command of a server states; None where it does not, or not in numbers."""
    options, words = DeclaredOptions(container), command_text(container)
    given = [names for names in (_TENSOR, _PIPELINE, _DATA) if options.has(names)]
    declared = [number for names in given if (number := options.number(names)) is not None]
    if given[:1] != [_TENSOR] or len(declared) < len(given) or not is_model_server(container):
        return None
    replicas = given[-1] == _DATA
    one = prod(each.value for each in declared[: len(declared) - replicas])
    products = (one, prod(each.value for each in declared)) if replicas else (one,)
    return Parallelism(
        declared, products, bool(_ON_OTHER_PODS.search(words)), bool(_BESIDE.search(words))
    )
