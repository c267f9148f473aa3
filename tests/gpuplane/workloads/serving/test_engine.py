"""The table of engines."""

import pytest

from gpuplane.workloads.serving.engine import Engine, engine_problems, engines
from policies.image import is_fixed, read_image

ENGINES = [*engines().values()]


@pytest.mark.parametrize("engine", ENGINES, ids=lambda each: each.name)
def test_an_engine_has_an_image_that_stays_and_metrics_at_a_port_of_its_own(engine: Engine) -> None:
    assert is_fixed(read_image(engine.image))
    assert "http" in engine.ports
    assert engine.metrics is None or engine.metrics.port in engine.ports


@pytest.mark.parametrize("engine", ENGINES, ids=lambda each: each.name)
def test_an_engine_that_runs_on_several_nodes_is_split_on_these(engine: Engine) -> None:
    assert bool(engine.leader) == ("pipeline" in engine.options)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("vllm", []),
        ("vLLM", ['--engine: unknown engine "vLLM"; allowed: vllm, sglang; nearest: vllm']),
        (
            "TGI",
            [
                (
                    "--engine: TGI is archived by its authors since 2026-03-21 and gets no more "
                    "fixes; allowed: vllm, sglang; nearest: vllm"
                )
            ],
        ),
    ],
)
def test_what_no_engine_is_called_is_told(name: str, said: list[str]) -> None:
    assert list(map(str, engine_problems(name, ("vllm", "sglang")))) == said
