"""The metrics of engines: what a query names, and the table."""

import csv
from pathlib import Path

import pytest

from gpuplane.lint.engine_metrics import asked_metrics, engine_metrics

SOURCES = {
    "vLLM 0.33.0": {"vllm"},
    "SGLang 0.5.23": {"sglang"},
    "TensorRT-LLM": {"trtllm-serve"},
    "Triton 2.71.0": {"triton", "triton-tensorrt-llm"},
}
PARTS = {"histogram": ("_bucket", "_sum", "_count"), "summary": ("_bucket", "_sum", "_count")}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("sum(vllm:a) / max by (vllm:b) (sglang_c)", ["vllm:a", "sglang_c"]),
        ('up{job="vllm:a"} or vllm:b{vllm_c="1"}', ["vllm:b"]),
        ("label_replace(nv_a, 'vllm:b', '', '', `vllm:c`)", ["nv_a"]),
        ("vllm:a:rate5m + job:vllm:a + my_vllm:a", []),
        ("rate(trtllm_a[5m]) > trtllm_a", ["trtllm_a"]),
        ("sum(vllm:a", ["vllm:a"]),
    ],
)
def test_a_query_names_metrics_and_no_labels_or_texts(query: str, names: list[str]) -> None:
    assert [name for _, name in asked_metrics(query)] == names


def test_the_table_has_the_metrics_of_the_versions_that_it_names(mirror: Path) -> None:
    file = mirror / "data" / "engine-metrics.csv"
    if not file.is_file():
        pytest.skip("the mirror has no engine-metrics.csv")
    with file.open(encoding="utf-8", newline="") as opened:
        rows = [*csv.DictReader(opened)]
    for engine in engine_metrics():
        stored = {
            f"{row[column]}{part}"
            for row in rows
            for column in ("stored_prometheus_3", "stored_escaping_underscores")
            for part in PARTS.get(row["type"], ("",))
            if row["engine"] in SOURCES[engine.title] and row["exposed"].startswith(engine.prefix)
        }
        assert (engine.title, set(engine.series)) == (engine.title, stored)
