"""What rules no longer refuse, or no longer fix."""

import datetime as dt
from typing import Any

import pytest
from msgspec.structs import replace

from charts_py.cluster_file.fault import FieldPath
from gpuplane.plan.looser_rules import looser_clauses, unfixed_clauses
from policies.custom_rule import CustomRule, CustomSeverity
from policies.rule_name import Mode
from policies.settings import NamespaceSettings, RuleException, Settings

TODAY = dt.date(2026, 12, 1)
OWN = CustomRule("no-labels", "true", "No labels.")
WARNED = {"image-tag": Mode.WARN}
ENFORCED = {"image-tag": Mode.ENFORCE}
EXCEPTION = RuleException("image-tag", "a", "", "", dt.date(2027, 3, 31))


def _in_a(modes: dict[str, Mode]) -> dict[str, Any]:
    return {"namespaces": {"a": NamespaceSettings("search", "batch", modes=modes)}}


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({}, {}, []),
        ({"modes": WARNED}, {"modes": ENFORCED}, []),
        ({"modes": WARNED}, {"modes": {"image-tag": Mode.AUDIT}}, []),
        ({}, {"modes": WARNED}, [" by the rule image-tag"]),
        (
            {},
            {"modes": {"privileged": Mode.WARN, "device-host-path": Mode.AUDIT}},
            [" by the rules device-host-path, privileged"],
        ),
        pytest.param(
            {}, {"modes": {"gpu-share": Mode.AUDIT}}, [], id="a rule that warns refuses nothing"
        ),
        pytest.param(
            {}, {"modes": {"runtime-class": Mode.OFF}}, [], id="a rule finds nothing anyway"
        ),
        (_in_a({}), _in_a(WARNED), [" by the rule image-tag in a"]),
        pytest.param({}, _in_a(WARNED), [], id="a new namespace"),
        ({"own": (OWN,)}, {}, [" by the rule no-labels"]),
        (
            {"own": (OWN,)},
            {"own": (replace(OWN, severity=CustomSeverity.WARN),)},
            [" by the rule no-labels"],
        ),
        ({}, {"exceptions": (EXCEPTION,)}, [" by the rule image-tag in a until 2027-03-31"]),
        ({"modes": WARNED}, {"modes": WARNED, "exceptions": (EXCEPTION,)}, []),
        ({"exceptions": (EXCEPTION,)}, {"exceptions": (EXCEPTION,)}, []),
        pytest.param(
            {},
            {"exceptions": (replace(EXCEPTION, expires=dt.date(2026, 11, 30)),)},
            [],
            id="an exception that has expired",
        ),
        (
            {"exceptions": (replace(EXCEPTION, expires=dt.date(2026, 11, 30)),)},
            {"exceptions": (EXCEPTION,)},
            [" by the rule image-tag in a until 2027-03-31"],
        ),
    ],
)
def test_rules_that_no_longer_refuse_are_told(
    before: dict[str, Any], after: dict[str, Any], told: list[str]
) -> None:
    old, new = (Settings("lab", **each) for each in (before, after))
    assert [each.text for each in looser_clauses(old, new, "lab", TODAY)] == [
        f"lab no longer refuses pods{clause}" for clause in told
    ]


@pytest.mark.parametrize(
    ("before", "after", "field"),
    [
        ({}, {"modes": WARNED}, ("policies", "rules", "image-tag")),
        ({}, {"mode": Mode.WARN}, ("policies", "mode")),
        (_in_a({}), _in_a(WARNED), ("teams", "search", "namespaces", "a", "rules", "image-tag")),
        ({}, {"exceptions": (EXCEPTION,)}, ("policies", "exceptions", 0)),
    ],
)
def test_a_clause_names_the_field_that_says_so(
    before: dict[str, Any], after: dict[str, Any], field: FieldPath
) -> None:
    old, new = (Settings("lab", **each) for each in (before, after))
    assert [each.field for each in looser_clauses(old, new, "lab", TODAY)] == [field]


APPLIED = replace(OWN, apply="[]")
FIXED = {"modes": {"tolerations": Mode.ENFORCE, "shared-memory": Mode.ENFORCE}}
LATER = ": what counts on that may wait or fail when it starts again"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({}, {}, []),
        ({}, {"modes": WARNED}, []),
        (
            {},
            {"modes": {"tolerations": Mode.AUDIT, "shared-memory": Mode.OFF}},
            [" by the rules tolerations, shared-memory"],
        ),
        ({"mode": Mode.WARN}, {"mode": Mode.AUDIT}, []),
        ({"mode": Mode.AUDIT}, {}, []),
        (
            {"mode": Mode.AUDIT} | FIXED,
            {"mode": Mode.AUDIT},
            [" by the rules tolerations, shared-memory"],
        ),
        ({"own": (APPLIED,)}, {"own": (OWN,)}, [" by the rule no-labels"]),
        (
            {},
            {"exceptions": (replace(EXCEPTION, rule="tolerations"),)},
            [" by the rule tolerations in a until 2027-03-31"],
        ),
    ],
)
def test_rules_that_no_longer_fix_are_told(
    before: dict[str, Any], after: dict[str, Any], told: list[str]
) -> None:
    old, new = (Settings("lab", **each) for each in (before, after))
    assert [each.text for each in unfixed_clauses(old, new, "lab", TODAY)] == [
        f"lab no longer fixes pods{clause}{LATER}" for clause in told
    ]


def test_a_rule_that_no_longer_fixes_is_not_said_to_refuse() -> None:
    new = Settings("lab", modes={"tolerations": Mode.AUDIT})
    assert [*looser_clauses(Settings("lab"), new, "lab", TODAY)] == []
