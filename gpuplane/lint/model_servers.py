"""Servers of language models, and the GPUs on which they split a model.

vLLM, SGLang and TensorRT-LLM run a process on each of tensor x pipeline x context GPUs, on all pods
of a group together. Replicas by data parallelism take as many each: of vLLM those that other pods
do not run, of SGLang those that do not split only attention among them.
https://docs.vllm.ai/en/stable/serving/data_parallel_deployment/,
https://docs.sglang.io/advanced_features/server_arguments.html and
https://nvidia.github.io/TensorRT-LLM/commands/trtllm-serve/, which has none. TGI calls it shards:
https://huggingface.co/docs/text-generation-inference/reference/launcher

With fewer GPUs than that, a server waits for processes that have none, or ends; with more, GPUs
stand idle.
"""

import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from gpuplane.lint.declared_number import DeclaredNumber, DeclaredOptions, command_text
from gpuplane.lint.rule import GpuPod, LintObject, RuleFinding, by_kind, whole_gpus
from gpuplane.workloads.pod_count import pod_count
from policies.container import Container
from policies.document import members, steps_of, value_at

_SERVER = re.compile(r"vllm|sglang|trtllm|tensorrt[-_]?llm|text-generation-", re.IGNORECASE)
_ON_OTHER_PODS = re.compile(
    r"\bray\b|nnodes|node[-_]rank|multi[-_]node|mpirun|srun|torchrun|dist-init-addr|headless"
)
_BESIDE = re.compile(
    r"&\s|&$|(?<!-)\b(for|while|xargs|parallel)\b(?!-)|gpu-id|VISIBLE_DEVICES|VLLM_DP_"
    # A file of options may state further ones.
    r"|--(config|extra[-_]llm)"
)
_BY_RANK = re.compile(r"data-parallel-(?!size)|-dp[abehmnpr]\b|VLLM_DP_")
_ATTENTION = re.compile("enable[-_]dp[-_]attention")
_OF_MODEL = (
    ("tensor-parallel-size", "tp", "tp-size", "num-shard"),
    ("pipeline-parallel-size", "pp", "pp-size"),
    ("context-parallel-size", "cp-size", "prefill-context-parallel-size", "pcp"),
)
_REPLICAS = ("data-parallel-size", "dp", "dp-size")
_REPLICAS_HERE = ("data-parallel-size-local", "dpl")


class Parallelism(NamedTuple):
    """On how many GPUs a server splits a model, as far as its command says so literally."""

    declared: Sequence[DeclaredNumber]
    products: frozenset[int]
    """The GPUs that its container may need."""
    may_span_pods: bool
    """Whether other pods may run some of its processes."""
    may_leave_gpus: bool
    """Whether other processes may use the other GPUs of the container."""

    @property
    def gpus(self) -> int:
        return prod(each.value for each in self.declared)

    @property
    def stated(self) -> str:
        if len(self.declared) == 1:
            return f"{self.declared[0].name} is {self.declared[0].value}"
        factors = " x ".join(f"{each.name} {each.value}" for each in self.declared)
        return f"{factors} is {self.gpus}"


def is_model_server(container: Container) -> bool:
    return bool(_SERVER.search(f"{container.image} {command_text(container)}"))


def parallelism(container: Container) -> Parallelism | None:
    """Return what the command of a server states; None where it does not, or not in numbers."""
    options, words = DeclaredOptions(container), command_text(container)
    replicas = () if _ATTENTION.search(words) else (_REPLICAS_HERE, _REPLICAS)
    given = [names for names in (*_OF_MODEL, *replicas) if options.has(names)]
    found = {names: number for names in given if (number := options.number(names)) is not None}
    if len(found) < len(given) or not is_model_server(container):
        return None
    # Those of all pods are no factor of those of this one.
    in_all = found.pop(_REPLICAS, None) if _REPLICAS_HERE in found else None
    gpus = prod(each.value for each in found.values())
    if not found or not gpus:
        return None
    of_model = prod(each.value for names, each in found.items() if names in _OF_MODEL)
    products = {gpus, *({of_model * in_all.value} if in_all else ())}
    is_sglang = "sglang" in f"{container.image} {words}"
    if _REPLICAS in found and (_BY_RANK.search(words) or (is_sglang and of_model > 1)):
        products.add(of_model)
    return Parallelism(
        [*found.values()],
        frozenset(products),
        bool(_ON_OTHER_PODS.search(words)),
        bool(_BESIDE.search(words)),
    )


def split_models(one: LintObject) -> Iterator[RuleFinding]:
    is_group = one.kind in by_kind("grouped")
    if not is_group and (len(one.gpu_pods) > 1 or one.kind not in by_kind("one_pod_servers")):
        return
    for pod in one.gpu_pods:
        for container in pod.pod.gpu_containers:
            gpus = whole_gpus(container)
            of_all = _gpus_of_group(one, pod) if is_group else gpus
            if gpus is not None and of_all is not None:
                yield from pod.placed(_split(container, gpus, of_all, is_group=is_group))


def _split(
    container: Container, gpus: int, of_all: int, *, is_group: bool
) -> Iterator[RuleFinding]:
    found = parallelism(container)
    if found is None or {gpus, of_all} & found.products:
        return
    whose = "pods of the group have" if is_group and of_all != gpus else "container has"
    if min(found.products) > of_all and (is_group or not found.may_span_pods):
        what = f"but the {whose} {of_all} GPUs, so that the server never starts"
    elif (most := max(found.products)) < gpus and not found.may_leave_gpus:
        what = f"so that {gpus - most} of the {gpus} GPUs of the container stand idle"
    else:
        return
    yield RuleFinding(
        found.declared[0].pointer,
        f"{found.stated}, {what}.",
        f"Split the model on as many GPUs as there are, or ask for {found.gpus} GPUs.",
    )


def _gpus_of_group(one: LintObject, pod: GpuPod) -> int | None:
    """Return the GPUs of all pods of one group; None where that is unknown."""
    group = pod.pointer.rpartition("/")[0]
    holder = steps_of(group.rpartition("/")[0])
    replicas = members(value_at(one.document, holder)).get("replicas", 1)
    counts = [
        (pod_count(one.document, each.pointer), [*map(whole_gpus, each.pod.gpu_containers)])
        for each in one.gpu_pods
        if each.is_below(group)
    ]
    if type(replicas) is not int or replicas < 1:
        return None
    known = [pods * sum(filter(None, gpus)) for pods, gpus in counts if pods and None not in gpus]
    return sum(known) // replicas if len(known) == len(counts) else None
