"""Bounds of what no machine and no cluster exceeds."""

from collections.abc import Iterator
from typing import Any

from charts_py.cluster_file.bounds import MAX_ALLOCATIONS, MAX_BYTES, MAX_CPUS
from charts_py.cluster_file.cluster import Cluster

_ROUNDED_BY_JAVASCRIPT = 2**53


def numbers_of(schema: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what a JSON schema says of each number, with its path."""
    if isinstance(schema, list):
        for item in schema:
            yield from numbers_of(item, path)
    elif isinstance(schema, dict):
        if schema.get("type") in ("integer", "number"):
            yield path, schema
        for key, inner in schema.items():
            yield from numbers_of(inner, f"{path}.{key}")


def test_every_number_of_a_cluster_file_has_two_bounds() -> None:
    numbers = dict(numbers_of(Cluster.model_json_schema(), ""))
    assert len(numbers) > 10
    for path, schema in numbers.items():
        assert {"minimum", "exclusiveMinimum"} & set(schema), path
        assert schema["maximum"] < _ROUNDED_BY_JAVASCRIPT, path


def test_what_is_summed_up_is_written_as_it_is() -> None:
    assert max(MAX_ALLOCATIONS, MAX_CPUS) < _ROUNDED_BY_JAVASCRIPT


def test_kubernetes_counts_the_bytes() -> None:
    assert 2 * MAX_BYTES < 2**63
