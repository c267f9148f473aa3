import pytest
from pydantic import TypeAdapter

from charts_py.cluster_file.quantity import CpuQuantity, Quantity, bytes_of


@pytest.mark.parametrize(
    ("quantity", "size"),
    [
        ("0", 0),
        ("7", 7),
        ("3k", 3000),
        ("512Gi", 512 * 2**30),
        ("2P", 2 * 10**15),
        ("1.5Ti", 3 * 2**39),
        ("0.25k", 250),
    ],
)
def test_a_quantity_has_a_size_in_bytes(quantity: str, size: int) -> None:
    assert bytes_of(quantity) == size


@pytest.mark.parametrize(
    ("quantity", "canonical"),
    [
        ("512Gi", "512Gi"),
        ("1024Gi", "1024Gi"),
        ("1.0Ti", "1Ti"),
        ("1.5Ti", "1536Gi"),
        ("1.5T", "1500G"),
        ("0.5Ki", "512"),
        ("0Gi", "0"),
    ],
)
def test_a_quantity_is_written_as_the_api_server_writes_it(quantity: str, canonical: str) -> None:
    assert TypeAdapter(Quantity).validate_python(quantity) == canonical


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
