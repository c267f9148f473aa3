from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from policies.quantity import MAX_LENGTH, format_bytes, read_quantity


@pytest.mark.parametrize(
    ("value", "amount"),
    [
        ("8", 8),
        (8, 8),
        (0.5, Fraction(1, 2)),
        ("0.5", Fraction(1, 2)),
        ("500m", Fraction(1, 2)),
        ("1000m", 1),
        ("-1", -1),
        ("+2", 2),
        (".5", Fraction(1, 2)),
        ("1.", 1),
        ("1e3", 1000),
        ("1E3", 1000),
        ("1e-3", Fraction(1, 1000)),
        ("1E", 10**18),
        ("2P", 2 * 10**15),
        ("1.5Gi", 3 * 2**29),
        ("1Ki", 1024),
        (" 8 ", 8),
        (None, 0),
        ("k", 0),
        (".", 0),
    ],
)
def test_an_amount_is_read_as_the_api_server_reads_it(value: Any, amount: int | Fraction) -> None:
    assert read_quantity(value) == amount


@pytest.mark.parametrize(
    "value",
    [
        "",
        "1e",
        "1i",
        "aoeu",
        "1.1.M",
        "1+1.0M",
        "0.1mi",
        "0.1am",
        ".5i",
        "-3.01i",
        "-3.01e-",
        "1 Gi",
        "1Gi1",
        "1_000",
        "\u0663",
        "0x10",
        "NaN",
        True,
        [],
        {},
        "1" * (MAX_LENGTH + 1),
    ],
)
def test_what_the_api_server_refuses_is_not_an_amount(value: Any) -> None:
    assert read_quantity(value) is None


def test_amounts_finer_than_a_billionth_are_rounded_away_from_zero() -> None:
    assert read_quantity("1e-10") == Fraction(1, 10**9)
    assert read_quantity("-0.5n") == Fraction(-1, 10**9)


def test_binary_amounts_end_at_the_largest_integer_of_64_bits() -> None:
    assert read_quantity("9Ei") == 2**63 - 1
    assert read_quantity("10E") == 10**19


def test_an_absurd_exponent_costs_no_time() -> None:
    assert read_quantity("9e999999999") == read_quantity("9e400")


@given(st.integers(0, 2**62))
def test_formatted_bytes_read_back_as_the_same(amount: int) -> None:
    assert read_quantity(format_bytes(amount)) == amount


def test_bytes_are_formatted_in_the_largest_unit_that_is_exact() -> None:
    assert [format_bytes(n) for n in (0, 1, 1024, 1536, 2**30, 3 * 2**29, 2**40)] == [
        "0",
        "1",
        "1Ki",
        "1536",
        "1Gi",
        "1536Mi",
        "1Ti",
    ]
