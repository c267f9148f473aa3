"""How Prometheus watches Kueue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from charts_py.components.kueue.definition import kueue_alerts, rules, scraped

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_it_is_scraped_over_tls_with_a_token(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    platform = platform_of(sample("queues"))
    (target,) = scraped(platform)
    assert (target.port, target.is_authorized) == ("https", True)
    (group,) = rules(platform)
    assert (group.namespace, group.alerts) == (target.namespace, kueue_alerts())


def test_where_google_collects_which_shows_no_token_nothing_is_scraped_or_alerted_on(
    example: Callable[[str], Platform],
) -> None:
    platform = example("inference")
    assert not platform.monitoring.has_operator
    assert (scraped(platform), rules(platform)) == ((), ())
