"""Findings as SARIF 2.1.0.

Where GPUPLANE_SARIF_SCHEMA names the file of the schema that OASIS publishes, what is printed is
validated against it, too.
"""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gpuplane.lint.formats.sarif import SCHEMA, to_sarif
from gpuplane.lint.registry import rule_facts
from gpuplane.lint.report import fingerprints
from tests.gpuplane.lint.sample_report import REPORT, report

VARIABLE = "GPUPLANE_SARIF_SCHEMA"
TOLD = "Pod a: It is 100% wrong. Fix it. (inference, training)"


@pytest.fixture
def log() -> dict[str, Any]:
    facts = rule_facts({"GPUPLANE_REPOSITORY": "https://git.example.com/gpuplane"})
    printed: dict[str, Any] = json.loads(to_sarif(REPORT, facts, "1.2.3"))
    return printed


def test_a_log_is_one_run_with_the_rules_that_found_something(log: dict[str, Any]) -> None:
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (log["$schema"], log["version"]) == (SCHEMA, "2.1.0")
    assert (driver["name"], driver["version"]) == ("gpuplane", "1.2.3")
    assert run["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in driver["rules"]] == ["host-ipc", "memory-limit", "team-rule"]


def test_a_rule_leads_to_its_page_and_one_of_a_platform_team_has_its_name_alone(
    log: dict[str, Any],
) -> None:
    host_ipc, _, own = log["runs"][0]["tool"]["driver"]["rules"]
    page = "https://git.example.com/gpuplane/blob/HEAD/docs/policies/host-ipc.md"
    assert host_ipc["helpUri"] == page
    assert host_ipc["help"]["markdown"].startswith("# host-ipc")
    assert own == {"id": "team-rule"}


def test_a_result_has_a_region_and_what_is_known_again(log: dict[str, Any]) -> None:
    assert log["runs"][0]["results"][1] == {
        "ruleId": "host-ipc",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": TOLD},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "jobs/train%2C%20a.yaml"},
                    "region": {"startLine": 3, "startColumn": 3, "endLine": 3, "endColumn": 10},
                },
                "logicalLocations": [
                    {"fullyQualifiedName": "Pod a/spec/hostIPC", "kind": "object"}
                ],
            }
        ],
        "partialFingerprints": {"gpuplane/v1": fingerprints(REPORT.findings)[1]},
    }


def test_what_the_specification_requires_is_there(log: dict[str, Any]) -> None:
    """Sections 3.13 (sarifLog), 3.14 (run), 3.27 (result), 3.30 (region), 3.49 (rule)."""
    for run in log["runs"]:
        rules = run["tool"]["driver"]["rules"]
        assert len({rule["id"] for rule in rules}) == len(rules)
        for result in run["results"]:
            assert result["message"]["text"]
            assert result["level"] in {"none", "note", "warning", "error"}
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            region = result["locations"][0]["physicalLocation"]["region"]
            start = (region["startLine"], region["startColumn"])
            assert (1, 1) <= start < (region["endLine"], region["endColumn"])


@pytest.mark.parametrize("found", [REPORT, report()], ids=["findings", "none"])
def test_the_published_schema_takes_it(found: Any) -> None:
    if VARIABLE not in os.environ:
        pytest.skip(f"{VARIABLE} does not name the schema of SARIF")
    schema = json.loads(Path(os.environ[VARIABLE]).read_bytes())
    jsonschema.Draft4Validator(schema).validate(json.loads(to_sarif(found, rule_facts({}), "1")))
