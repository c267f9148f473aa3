"""What of a GPU an engine keeps to run, so that neither weights nor KV cache have it."""

from enum import StrEnum

GIB, _MIB = 2**30, 2**20
UNUSED_PERCENT = 8
"""vLLM leaves as much by default (`gpu_memory_utilization` in vllm/config/cache.py)."""
_RUNNING = 2 * GIB
"""The CUDA context, CUDA graphs and activations: 0.7 to 1.8 GiB on an A100
(https://github.com/ovg-project/kvcached/pull/448), and more with larger batches."""
_CONTEXT = GIB
"""The CUDA context and NCCL. SGLang takes its part of what is free beside them."""
_LEFT_PERCENT = 10
"""TensorRT-LLM leaves as much of what weights leave by default (`free_gpu_memory_fraction` of
`KvCacheConfig` in tensorrt_llm/llmapi/llm_args.py)."""
_SGLANG = (
    (20, 2048, 8, 8),
    (35, 2048, 24, 80),
    (60, 4096, 32, 160),
    (160, 8192, 256, 512),
    (10**9, 16384, 512, 512),
)
"""GiB of a GPU below which a row holds, tokens that are read at once, and the largest batch of CUDA
graphs on fewer than 4 GPUs and on more (`_handle_gpu_memory_settings` in
https://github.com/sgl-project/sglang, python/sglang/srt/server_args.py)."""


class Reserve(StrEnum):
    """How an engine reckons what it keeps."""

    PART = "part"
    """A part of the GPU, whatever it serves: vLLM."""
    BATCH = "batch"
    """By the tokens that it reads at once, and CUDA graphs: SGLang."""
    REST = "rest"
    """A part of what weights leave: TensorRT-LLM."""


def reserved(reserve: Reserve, memory: int, weights: int, gpus: int, nodes: int) -> int:
    """Return the bytes of a GPU with so much memory that are for neither weights nor KV cache."""
    if reserve is Reserve.BATCH:
        permille = static_permille(memory, gpus, nodes)
        return memory - max(memory - _CONTEXT, 0) * permille // 1000
    part = memory * UNUSED_PERCENT // 100 + _RUNNING
    if reserve is Reserve.REST:
        left = max(memory - _RUNNING - weights, 0)
        return max(part, left * _LEFT_PERCENT // 100 + _RUNNING)
    return part


def static_permille(memory: int, gpus: int, nodes: int) -> int:
    """Return what SGLang takes of a GPU for weights and KV cache, in thousandths of it.

    It is by SGLang's own formula, and at least 0.
    """
    row = next(each for each in _SGLANG if memory < each[0] * GIB)
    tokens, graphs = row[1], row[2] if gpus < 4 else row[3]  # as SGLang has it
    kept = (512 + tokens * 3 // 2 + graphs * 2 + gpus * nodes * 128) * _MIB
    if memory > 60 * GIB:
        kept = max(kept, 10 * GIB)
    return max(memory - kept, 0) * 1000 // memory
