"""Quantities of CPUs."""

import pytest
from pydantic import TypeAdapter

from charts_py.cluster_file.cpu_quantity import CpuQuantity


@pytest.mark.parametrize(
    ("stated", "canonical"),
    [
        (500, "500"),
        ("500", "500"),
        (3000.0, "3000"),
        (1.5, "1500m"),
        ("1.5", "1500m"),
        ("1500m", "1500m"),
        ("2000m", "2"),
        (0.001, "1m"),
    ],
)
def test_an_amount_is_written_as_the_api_server_writes_it(
    stated: float | str, canonical: str
) -> None:
    assert TypeAdapter(CpuQuantity).validate_python(stated) == canonical
