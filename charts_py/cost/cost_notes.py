"""What is said below the tables of costs."""

from collections.abc import Iterator, Sequence

from charts_py.cost.cost_statement import UnpricedPool
from charts_py.platform.pool_price import HOURS_OF_A_MONTH


def statement_notes(unpriced: Sequence[UnpricedPool]) -> Iterator[str]:
    """Yield what a month is and what no sum has, and then why each pool has no price."""
    them = "it" if len(unpriced) == 1 else "them"
    yield from _notes(
        f"No price is known for {_places(unpriced)}; the sums leave {them} out.", unpriced
    )


def comparison_notes(unpriced: Sequence[UnpricedPool]) -> Iterator[str]:
    """Yield what a month is and what no total has, and then why each pool had or has no price."""
    why = "as the price is not known before or after"
    yield from _notes(
        f"Left out of the totals on both sides, {why}: {_places(unpriced)}.", unpriced
    )


def _places(unpriced: Sequence[UnpricedPool]) -> str:
    return ", ".join(gap.place for gap in unpriced)


def _notes(left_out: str, unpriced: Sequence[UnpricedPool]) -> Iterator[str]:
    month = f"A month has {HOURS_OF_A_MONTH} hours."
    yield f"{month} {left_out}" if unpriced else month
    yield from (str(gap.fault) for gap in unpriced)
