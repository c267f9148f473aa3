from __future__ import annotations

import pytest

from charts_py.spec.quantity import bytes_of


@pytest.mark.parametrize(
    ("quantity", "size"),
    [("0", 0), ("7", 7), ("3k", 3000), ("512Gi", 512 * 2**30), ("2P", 2 * 10**15)],
)
def test_a_quantity_has_a_size_in_bytes(quantity: str, size: int) -> None:
    assert bytes_of(quantity) == size
