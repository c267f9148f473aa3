import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from pydantic import Field

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.strict_model import (
    MAX_ALLOCATIONS,
    MAX_BYTES,
    MAX_CPUS,
    StrictModel,
    added_later,
    field_docstrings,
)


class _Base(StrictModel):
    max_nodes: int = 1
    """Of a pool,
    at its most."""
    plain: int = 1


class _Extended(_Base):
    from_: int = Field(default=1, alias="from")
    """Where it begins."""
    told: int = Field(default=1, description="Told at the field.")
    """Told below it."""


def test_it_stands_under_the_field_here_or_in_the_model_that_is_extended() -> None:
    assert field_docstrings(_Extended) == {
        "max_nodes": "Of a pool,\nat its most.",
        "from_": "Where it begins.",
        "told": "Told below it.",
    }


def test_the_schema_describes_fields_by_it_unless_they_are_described_themselves() -> None:
    properties = _Extended.model_json_schema(by_alias=True)["properties"]
    assert {name: field.get("description") for name, field in properties.items()} == {
        "maxNodes": "Of a pool,\nat its most.",
        "plain": None,
        "from": "Where it begins.",
        "told": "Told at the field.",
    }


def test_no_source_is_read_before_a_schema_needs_it() -> None:
    models = "import linecache, charts_py.load; print(sorted(linecache.cache))"
    run = subprocess.run([sys.executable, "-c", models], capture_output=True, text=True, check=True)
    assert "charts_py" not in run.stdout


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


class _Grown(_Base):
    added: bool = added_later(False)
    """Whether it is there."""


def test_a_field_that_was_added_later_is_recorded_only_where_it_is_stated() -> None:
    assert _Grown().model_dump() == _Base().model_dump()
    assert _Grown(added=True).model_dump() == {**_Base().model_dump(), "added": True}
    assert _Grown.model_json_schema()["properties"]["added"]["default"] is False
