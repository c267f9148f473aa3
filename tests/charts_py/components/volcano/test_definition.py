"""How Volcano is configured."""

import pytest
import yaml

from charts_py.components.volcano.definition import volcano_values
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import PlatformWith


@pytest.fixture
def platform(platform_after: PlatformWith) -> Platform:
    """Return the platform of the sample with queues of Volcano."""
    return platform_after("volcano")


def test_its_scheduler_gives_back_what_is_borrowed_and_hides_no_job_from_autoscalers(
    platform: Platform,
) -> None:
    configuration = yaml.safe_load(volcano_values(platform)["custom"]["scheduler_config_override"])
    first, *later = [[each["name"] for each in t["plugins"]] for t in configuration["tiers"]]
    assert configuration["actions"] == "allocate, preempt, gangreclaim, backfill"
    assert {"gang", "capacity"} <= {*first}
    assert {*first, *(name for tier in later for name in tier)} & {
        "overcommit",
        "proportion",
    } == set()
