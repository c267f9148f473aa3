"""When Karpenter may take a node of a pool away, as the page on nodes tells it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from charts_py.cluster_file.pool import Purpose
from charts_py.providers.eks.node_lifecycle import LIFECYCLES, Lifecycle

PAGE = Path(__file__).parents[4] / "docs" / "eks.md"
HOURS_A_DAY = 24


def _row(purpose: Purpose) -> list[str]:
    """Return the cells of its row in the table of five columns."""
    text = PAGE.read_text(encoding="utf-8")
    (cells,) = re.findall(rf"^\| `{purpose}` \|((?: [^|]+ \|){{5}})$", text, re.MULTILINE)
    return [cell.strip() for cell in str(cells).split("|")[:-1]]


def _told(lifecycle: Lifecycle) -> list[str]:
    replaced = "one at a time" if lifecycle.replaced_at_once == 1 else "stays"
    is_packed = lifecycle.consolidation_policy == "WhenEmptyOrUnderutilized"
    hours = re.sub(r"h$", "", lifecycle.expire_after)
    return [
        f"after {lifecycle.consolidate_after.removesuffix('m')} minutes",
        replaced if is_packed else "stays",
        replaced,
        "never" if hours == "Never" else f"after {int(hours) // HOURS_A_DAY} days",
        _hours(lifecycle.termination_grace_period),
    ]


def _hours(period: str | None) -> str:
    if period is None:
        return "none"
    count = period.removesuffix("h")
    return f"{count} hour" if count == "1" else f"{count} hours"


@pytest.mark.parametrize("purpose", list(Purpose))
def test_the_page_tells_when_a_node_goes(purpose: Purpose) -> None:
    assert _row(purpose) == _told(LIFECYCLES[purpose])
