"""A language model as it is asked for."""

import pytest

from gpuplane.workloads.asked import Asked
from gpuplane.workloads.serving.fit import Demand
from gpuplane.workloads.serving.language_model import LanguageModel, read_language_model


def _read(weights: str, parameters: str, **fields: object) -> LanguageModel:
    given = {"weights": weights, "parameters": parameters, **fields}
    return read_language_model(Asked(kind="llm", name="chat", **given))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("precision", "size"), [(None, 16 * 10**9), ("fp8", 8 * 10**9), ("int4", 45 * 10**8)]
)
def test_its_weights_are_its_parameters_by_their_precision(
    precision: str | None, size: int
) -> None:
    assert _read("a/b", "8B", precision=precision).weight_bytes == size


@pytest.mark.parametrize(
    ("weights", "per_token"),
    [
        ("meta-llama/Llama-3.1-8B-Instruct", 131072),
        ("meta-llama/Llama-3.3-70B-Instruct", 327680),
        ("Qwen/Qwen3-32B", 262144),
        ("/data/Qwen3-32B-FP8", 262144),
        ("Qwen/Qwen3-32Bx", None),
        ("Qwen/Qwen3-4B", 147456),
        ("Qwen/Qwen3-235B-A22B-Instruct-2507", 192512),
        ("deepseek-ai/DeepSeek-V3-0324", 70272),
        ("deepseek-ai/DeepSeek-V3.1", 70272),
        ("deepseek-ai/DeepSeek-V3.2", None),
        ("a/b", None),
    ],
)
def test_what_a_token_takes_of_the_cache_is_known_of_some(
    weights: str, per_token: int | None
) -> None:
    assert _read(weights, "8B").kv_per_token == per_token


def test_the_cache_is_for_all_tokens_of_all_requests() -> None:
    model = _read("a/b", "1B", context=1000, concurrency=4, kv_bytes_per_token=50)
    assert model.demand == Demand(2 * 10**9, 200_000)


def test_what_is_not_known_of_the_cache_is_not_guessed() -> None:
    assert _read("a/b", "1B").demand == Demand(2 * 10**9, None)
