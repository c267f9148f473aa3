"""Freezes and holds: when nothing goes live, and what keeps a cluster as it is."""

import datetime as dt
from collections.abc import Iterable, Iterator

from charts_py.cluster_file.promotion import Promotion
from gpuplane.release.reason import Reason, Rule


def calendar_reasons(
    rules: Iterable[Promotion], cluster: str, now: dt.datetime
) -> Iterator[Reason]:
    """Yield why nothing may go live on a cluster now, each once, by the rules of each state."""
    yield from dict.fromkeys(reason for each in rules for reason in _reasons(each, cluster, now))


def _reasons(promotion: Promotion, cluster: str, now: dt.datetime) -> Iterator[Reason]:
    hold = promotion.hold
    if hold is not None and now < hold.ends:
        yield Reason(Rule.HOLD, f"{hold.reason} (owner: {hold.owner})", hold.ends)
    for freeze in promotion.freezes:
        if freeze.holds(cluster, now):
            yield Reason(Rule.FREEZE, freeze.reason, freeze.ends)
