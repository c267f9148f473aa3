"""promtool, which checks rules and plays scenarios."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform
from tests.e2e.monitoring.rule_files import (
    alerting_rules,
    rule_objects,
    rules_behind,
    write_rule_files,
)
from tests.e2e.monitoring.scenario import FiringAlert, Scenario

_SECONDS = 600
_PASSED = re.compile(r"Unit Testing: .*\n  SUCCESS\n\n?")


class PromtoolError(Exception):
    """What promtool found to be wrong, in its own words."""


@dataclass(frozen=True, slots=True)
class Promtool:
    program: Path

    def check_rules(self, files: Sequence[Path]) -> None:
        """Raise PromtoolError for faults in files of rules, and for rules that stand twice."""
        self._run("check", "rules", "--lint=all", "--lint-fatal", *files)

    def test_rules(self, *files: Path) -> None:
        """Raise PromtoolError where rules do other than files of tests say."""
        self._run("test", "rules", *files)

    def _run(self, *arguments: str | Path) -> None:
        done = subprocess.run(
            [self.program, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        if done.returncode:
            raise PromtoolError(_PASSED.sub("", done.stdout))


def write_tests(
    scenarios: Sequence[Scenario], objects: Sequence[Document], groups: Sequence[str], folder: Path
) -> list[Path]:
    """Write scenarios as a file of tests for each alert; return the files.

    Each evaluates what is behind the alert of what objects say, the groups in the order given.
    """
    rules = alerting_rules(objects)
    return [
        write_test_file(
            [_test(each, rules[alert]) for each in scenarios if each.alert == alert],
            rules_behind(alert, objects),
            groups,
            folder / alert,
        )
        for alert in dict.fromkeys(each.alert for each in scenarios)
    ]


def write_platform_tests(
    tests: Sequence[Mapping[str, Any]], platform: Platform, folder: Path
) -> Path:
    """Write a file of tests of all rules of a platform, as promtool reads it; return it."""
    groups = [group.name for group in platform.watched.rules]
    return write_test_file(tests, rule_objects(platform), groups, folder)


def write_test_file(
    tests: Sequence[Mapping[str, Any]],
    objects: Sequence[Document],
    groups: Sequence[str],
    folder: Path,
) -> Path:
    """Write tests, as promtool reads them, of rules with their groups in the order given."""
    folder.mkdir(exist_ok=True)
    content = {
        "rule_files": [str(file) for file in write_rule_files(objects, folder)],
        "group_eval_order": list(groups),
        "tests": list(tests),
    }
    file = folder / "tests.yaml"
    file.write_text(to_yaml(content), encoding="utf-8")
    return file


def _test(scenario: Scenario, rule: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": scenario.name,
        "interval": "1m",
        "input_series": [{"series": s, "values": v} for s, v in scenario.series.items()],
        "alert_rule_test": [
            {
                "eval_time": f"{minute}m",
                "alertname": scenario.alert,
                "exp_alerts": [_expected(rule, each) for each in firing],
            }
            for minute, firing in scenario.at_minutes()
        ],
    }


def _expected(rule: Mapping[str, Any], firing: FiringAlert) -> dict[str, Any]:
    annotations = _filled(rule["annotations"], firing.labels)
    return {
        "exp_labels": {**firing.labels, **_filled(rule["labels"], firing.labels)},
        "exp_annotations": {**annotations, "summary": firing.summary},
    }


def _filled(texts: Mapping[str, str], labels: Mapping[str, str]) -> dict[str, str]:
    """Return texts with the labels filled in, as Prometheus does."""
    return {
        name: re.sub(r"{{ \$labels\.(\w+) }}", lambda found: labels.get(found[1], ""), text)
        for name, text in texts.items()
    }
