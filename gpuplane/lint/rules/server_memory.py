"""A server of a language model takes no more of a GPU than pods that share it leave each other.

vLLM and SGLang take a part of the whole GPU for weights and cache, and share it with nobody: where
two take more than half of one, the second finds too little and ends at its start, again and again.
vLLM does not even start unless its part is free, whatever `--kv-cache-memory-bytes` says
(`request_memory` in https://github.com/vllm-project/vllm, vllm/v1/worker/utils.py). Its part is
0.92 by default (vllm/config/cache.py), and 0.9 before; of SGLang's, which follows from the GPU, no
default is known here (`mem_fraction_static` in https://github.com/sgl-project/sglang,
python/sglang/srt/server_args.py), but it is far above a half.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gpuplane.lint.declared_number import DeclaredOptions, command_text
from gpuplane.lint.model_servers import offers
from gpuplane.lint.rule import LintContext, LintObject, LintRule, RuleFinding
from gpuplane.workloads.serving.reserve import UNUSED_PERCENT
from policies.container import Container
from policies.reach import SHARED

_ELSEWHERE = ("config",)
"""Files that may state what the command does not."""
_MOST = 0.5
"""The most of which two fit on one GPU, as at least two pods share it."""


class _Engine(NamedTuple):
    title: str
    starts: re.Pattern[str]
    """What its command has."""
    image: str | None
    """The name of an image that starts it by itself."""
    option: str
    default: str
    """The part that it takes by default, in words."""
    remedy: str


_ENGINES = (
    _Engine(
        "vLLM",
        re.compile(r"\bvllm\s+serve\b|vllm\.entrypoints"),
        "vllm-openai",
        "gpu-memory-utilization",
        f"{1 - UNUSED_PERCENT / 100:g}",
        "Set --kv-cache-memory-bytes, and --gpu-memory-utilization to its share, as gpuplane new "
        "llm does, or run it on whole GPUs or MIG instances.",
    ),
    _Engine(
        "SGLang",
        re.compile(r"sglang\.launch_server|\bsglang\s+serve\b"),
        None,
        "mem-fraction-static",
        "most",
        "Set --mem-fraction-static to its share, or run it on whole GPUs or MIG instances.",
    ),
)


def check(one: LintObject, context: LintContext) -> Iterator[RuleFinding]:
    for pod in one.gpu_pods:
        offered = offers(pod, context)
        if offered and all(each.sharing in SHARED for each in offered):
            for container in pod.pod.gpu_containers:
                yield from pod.placed(_above_its_share(container))


def _above_its_share(container: Container) -> Iterator[RuleFinding]:
    engine, options = _engine(container), DeclaredOptions(container)
    if engine is None or options.has(_ELSEWHERE):
        return
    stated = options.part((engine.option,))
    is_literal = stated is not None or not options.has((engine.option,))
    if not is_literal or (stated is not None and not _MOST < stated.value <= 1):
        return
    part = f"{engine.default} of its GPU by default"
    if stated is not None:
        part = f"{stated.value:g} of its GPU"
    yield RuleFinding(
        f"{container.pointer}/resources" if stated is None else stated.pointer,
        f"{engine.title} in the {container.culprit} takes {part}, which pods share, so that the "
        "second on a GPU ends at its start.",
        engine.remedy,
    )


def _engine(container: Container) -> _Engine | None:
    words, is_entry_point = command_text(container), container.raw.get("command") is None
    for engine in _ENGINES:
        by_itself = is_entry_point and engine.image is not None and engine.image in container.image
        if by_itself or engine.starts.search(words):
            return engine
    return None


RULE = LintRule(
    "server-memory",
    "A server of a language model takes no more of a GPU than its share of it.",
    check,
)
