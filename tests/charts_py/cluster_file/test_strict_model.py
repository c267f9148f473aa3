"""What is said of the fields of a model."""

import subprocess
import sys

from pydantic import Field

from charts_py.cluster_file.strict_model import StrictModel, field_docstrings


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
