"""What the Prometheus operator scrapes alone.

Google's managed collection shows nobody a token, and renames labels that metrics of others bear.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform
    from charts_py.platform.scrape_target import ScrapeTarget


def scraped_by_operator(target: ScrapeTarget) -> Callable[[Platform], tuple[ScrapeTarget, ...]]:
    """Return what has it scraped where the kinds of the Prometheus operator are emitted."""
    return lambda platform: (target,) if platform.monitoring.has_operator else ()
