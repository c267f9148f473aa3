"""Servers of language models, and the GPUs on which they split a model.

vLLM, SGLang and TensorRT-LLM run a process on each of tensor x pipeline x context GPUs, on all pods
of a group together. Replicas by data parallelism take as many each: of vLLM those that other pods
do not run, of SGLang those that do not split only attention among them.
https://docs.vllm.ai/en/stable/serving/data_parallel_deployment/,
https://docs.sglang.io/advanced_features/server_arguments.html and
https://nvidia.github.io/TensorRT-LLM/commands/trtllm-serve/, which has none. TGI calls it shards:
https://huggingface.co/docs/text-generation-inference/reference/launcher

With fewer GPUs than that, a server waits for processes that have none, or ends; with more, GPUs
stand idle. "CUDA applications can only enumerate a single compute instance" of MIG
(https://docs.nvidia.com/datacenter/tesla/mig-user-guide/), so that none splits a model on several.
"""

import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from charts_py.cluster_file.fault import counted
from gpuplane.lint.declared_number import DeclaredNumber, DeclaredOptions, command_text
from gpuplane.lint.finding import LintSeverity
from gpuplane.lint.rule import GpuPod, LintContext, LintObject, RuleFinding, by_kind, whole_gpus
from gpuplane.workloads.pod_count import pod_count
from gpus.sharing import SharingKind
from policies.container import Container
from policies.document import listed, members, steps_of, value_at
from policies.reach import SHARED, usable
from policies.settings import OfferedResource

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
_INSTANCE = "nvidia.com/mig-"
_OF_MIG = (SharingKind.MIG, SharingKind.MIG_TIME_SLICING)
_REPLICAS = ("data-parallel-size", "dp", "dp-size")
_REPLICAS_HERE = ("data-parallel-size-local", "dpl")


class Parallelism(NamedTuple):
    """On how many GPUs a server splits a model, as far as its command says so literally."""

    declared: Sequence[DeclaredNumber]
    of_model: int
    """The GPUs among which each replica of the model is split."""
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
        of_model,
        frozenset(products),
        bool(_ON_OTHER_PODS.search(words)),
        bool(_BESIDE.search(words)),
    )


def split_models(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    is_group = one.kind in by_kind("grouped")
    if not is_group and (len(one.gpu_pods) > 1 or one.kind not in by_kind("one_pod_servers")):
        return
    for pod in one.gpu_pods:
        for container in pod.pod.gpu_containers:
            gpus, found = whole_gpus(container), parallelism(container)
            of_all = _gpus_of_group(one, pod) if is_group else gpus
            if gpus is None or of_all is None or found is None:
                continue
            spans_pods = is_group or found.may_span_pods
            if found.of_model > 1 and (gpus > 1 or not spans_pods) and _is_mig(pod, context):
                yield from pod.placed([_on_instances(found, context)])
            elif not {gpus, of_all} & found.products:
                most = None if is_group else most_gpus(pod, context)
                split = _split(found, gpus, of_all, most, is_group=is_group)
                yield from pod.placed(split)


def offers(pod: GpuPod, context: LintContext) -> list[OfferedResource]:
    """Return what the pools on which a pod can run offer of the GPUs that it asks for."""
    pools = usable(context.offer.reach(pod.pod).pools, context.known_namespace)
    return [each for pool in pools for each in pool.resources if each.name in pod.pod.gpus]


def most_gpus(pod: GpuPod, context: LintContext) -> int | None:
    """Return the most GPUs that a pod can ask for on one node; None where that is unknown."""
    most = [each.per_node for each in offers(pod, context) if each.sharing not in SHARED]
    return max(most, default=None)


def _is_mig(pod: GpuPod, context: LintContext) -> bool:
    """Whether the GPUs of a pod are instances of MIG, wherever it gets more than one share."""
    ways = {each.sharing for each in offers(pod, context)}
    named = all(name.startswith(_INSTANCE) for name in pod.pod.gpus)
    return named or (SharingKind.NONE not in ways and not ways.isdisjoint(_OF_MIG))


def _on_instances(found: Parallelism, context: LintContext) -> RuleFinding:
    whole = [
        pool.name
        for pool in usable(context.offer.pools, context.known_namespace)
        if any(each.sharing is SharingKind.NONE for each in pool.resources)
    ]
    other = f", or split it on whole GPUs of {listed(whole)}" if whole else ""
    return RuleFinding(
        found.declared[0].pointer,
        f"{found.stated}, but a process of CUDA can use only one instance of MIG, so that the "
        "server never starts.",
        f"Leave the model whole on one instance{other}.",
        severity=LintSeverity.ERROR,
    )


def _split(
    found: Parallelism, gpus: int, of_all: int, most: int | None, *, is_group: bool
) -> Iterator[RuleFinding]:
    """`most`: the GPUs that one pod can ask for, where that is a bound."""
    whose = "pods of the group have" if is_group and of_all != gpus else "container has"
    ask = f"{'run a group with' if is_group else 'ask for'} {counted(found.gpus, 'GPU')}"
    if min(found.products) > of_all and (is_group or not found.may_span_pods):
        what = f"but the {whose} {counted(of_all, 'GPU')}, so that the server never starts"
    elif (used := max(found.products)) < gpus and not found.may_leave_gpus:
        what = f"so that {gpus - used} of the {counted(gpus, 'GPU')} of the container stand idle"
        ask = f"{ask}, with their share of CPU and memory"
    else:
        return
    remedy = f"Split the model on as many GPUs as there are, or {ask}."
    if most is not None and found.gpus > most:
        fewer = f"Split the model on {counted(most, 'GPU')} at most"
        remedy = f"{fewer}, or on the pods of a LeaderWorkerSet."
    yield RuleFinding(found.declared[0].pointer, f"{found.stated}, {what}.", remedy)


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
