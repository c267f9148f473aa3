"""What is said below the tables of costs."""

from collections.abc import Iterable, Iterator

from charts_py.cost.cost_statement import UnpricedPool
from charts_py.platform.pool_price import HOURS_OF_A_MONTH


def cost_notes(unpriced: Iterable[UnpricedPool]) -> Iterator[str]:
    """Yield what a month is, and then why each pool has no price."""
    unpriced = tuple(unpriced)
    month = f"A month has {HOURS_OF_A_MONTH} hours."
    places = ", ".join(gap.place for gap in unpriced)
    yield f"{month} No price is known of {places}, which no sum has." if places else month
    yield from (str(gap.fault) for gap in unpriced)
