"""Every alert fires when it should, says what it should, and resolves."""

from pathlib import Path

import pytest

from tests.e2e.evidence.evidence import Evidence
from tests.e2e.monitoring.promtool import Promtool, PromtoolError, write_tests
from tests.e2e.monitoring.rule_files import monitored_platform, rule_objects
from tests.e2e.monitoring.scenario import ComponentScenarios, Scenario, read_scenarios


def _play(played: ComponentScenarios, promtool: Promtool, folder: Path) -> None:
    platform = monitored_platform(played.cluster)
    groups = [group.name for group in platform.watched.rules]
    objects = rule_objects(platform)
    promtool.test_rules(*write_tests(played.scenarios, objects, groups, folder))


@pytest.mark.parametrize("played", read_scenarios(), ids=lambda each: each.component)
def test_every_alert_fires_and_resolves_as_its_scenarios_say(
    played: ComponentScenarios, promtool: Promtool, tmp_path: Path, evidence: Evidence
) -> None:
    _play(played, promtool, tmp_path)
    silent = sum(not each.firing for each in played.scenarios)
    evidence.show(
        f"Every alert of `{played.component}` fires as long after its cause as it should, with its"
        " labels and its text, and resolves after that.",
        f"{len(played.fired)} alerts; {len(played.scenarios)} series of events, in {silent} of"
        " which none may fire",
    )


def test_a_scenario_that_does_not_hold_is_named(promtool: Promtool, tmp_path: Path) -> None:
    quiet = Scenario("GpuplaneWebhookDown", "nothing is there", {"up": "1x9"}, None, 3, ())
    with pytest.raises(PromtoolError, match=r"name: nothing is there,\s+alertname: .*, time: 2m"):
        _play(ComponentScenarios("webhook", "karpenter", (quiet,)), promtool, tmp_path)


def test_values_that_yaml_takes_for_a_number_are_no_scenario(tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(
        "cluster: karpenter\nalerts: {A: {quiet: {series: {up: 0x60}, silent: 1h}}}\n"
    )
    with pytest.raises(ValueError, match="up has a number and no values"):
        read_scenarios(tmp_path)
