from fractions import Fraction

import pytest

from gpuplane.fleet_report.figure_words import amount_words, gap_words, gpus_words, known_words
from gpuplane.fleet_report.pool_use import Costs


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0.4, "$0"),
        (830.2, "$830"),
        (999.6, "$1.0k"),
        (8089, "$8.1k"),
        (9960, "$10k"),
        (257_400, "$257k"),
        (999_700, "$1.00M"),
        (1_571_000, "$1.57M"),
    ],
)
def test_an_amount_has_three_digits_at_most(amount: float, words: str) -> None:
    assert amount_words("USD", amount) == words


def test_a_currency_without_a_sign_is_named() -> None:
    assert known_words(Costs((("CHF", 1200.0), ("USD", 10.0)))) == "CHF 1.2k + $10"


def test_what_has_no_price_is_said_beside_what_has_one() -> None:
    part = Costs((("USD", 10.0),), Fraction(8))
    assert (known_words(part), gap_words(part)) == ("$10", "without 8 GPUs that have no price")
    assert (known_words(Costs(without=Fraction(8))), gap_words(Costs())) == ("no price", "")


def test_a_share_of_a_gpu_is_told_to_a_tenth() -> None:
    assert [gpus_words(Fraction(n, 7)) for n in (288, 7, 9100)] == ["41.1", "1", "1,300"]
