"""An incident wakes somebody once, or not at all where it can wait."""

from pathlib import Path

from tests.e2e.evidence.evidence import Evidence
from tests.e2e.monitoring.incident import read_incidents
from tests.e2e.monitoring.promtool import Promtool, write_platform_tests
from tests.e2e.monitoring.rule_files import monitored_platform


def test_an_incident_fires_these_alerts_within_its_hour_and_one_page_at_most(
    promtool: Promtool, tmp_path: Path, evidence: Evidence
) -> None:
    played = read_incidents()
    tests = [each.test() for each in played.incidents]
    platform = monitored_platform(played.cluster)
    promtool.test_rules(write_platform_tests(tests, platform, tmp_path / "incidents"))
    assert [each.name for each in played.incidents if each.pages > 1] == []
    evidence.show(
        "Within an hour of an incident on a cluster that is otherwise well, these alerts fire, and"
        " no others: one that is critical, or none where it can wait.",
        "; ".join(map(str, played.incidents)),
    )
