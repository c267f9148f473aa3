"""When rules refuse again what an exception from them let pass."""

import datetime as dt
from typing import Any

import pytest
from msgspec.structs import replace

from charts_py.cluster_file.fault import FieldPath
from gpuplane.plan.exception_ends import ended_exceptions, extended_exceptions
from gpuplane.plan.stricter_rules import stricter_clauses
from policies.rule_name import Mode
from policies.settings import NamespaceSettings, RuleException, Settings

TODAY = dt.date(2026, 12, 1)
EXCEPTION = RuleException("host-ipc", "a", "", "", dt.date(2027, 3, 31))
IN_B = replace(EXCEPTION, namespace="b")
SOONER = replace(EXCEPTION, expires=dt.date(2026, 12, 31))
EXPIRED = replace(EXCEPTION, expires=dt.date(2026, 11, 30))
SHARE = replace(EXCEPTION, rule="gpu-share")
WARNED: dict[str, Any] = {"modes": {"host-ipc": Mode.WARN}}
NAMESPACES = {"namespaces": {"a": NamespaceSettings("search", "batch")}}


def _excepted(*exceptions: RuleException) -> dict[str, Any]:
    return {"exceptions": exceptions}


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({}, _excepted(EXCEPTION), []),
        (_excepted(EXCEPTION), _excepted(EXCEPTION), []),
        (_excepted(SOONER), _excepted(EXCEPTION), []),
        (_excepted(EXPIRED), {}, []),
        (_excepted(EXCEPTION), {}, ["in a from now on"]),
        (_excepted(EXCEPTION, IN_B), {}, ["in a, b from now on"]),
        (_excepted(EXCEPTION), _excepted(EXPIRED), ["in a from now on"]),
        (_excepted(EXCEPTION), _excepted(SOONER), ["in a after 2026-12-31"]),
        (
            _excepted(EXCEPTION, IN_B),
            _excepted(SOONER),
            ["in a after 2026-12-31", "in b from now on"],
        ),
        pytest.param(_excepted(EXCEPTION), WARNED, [], id="the rule only warns"),
        pytest.param(_excepted(SHARE), {}, [], id="the rule warns at most"),
        pytest.param(_excepted(EXCEPTION) | NAMESPACES, {}, [], id="the namespace is gone"),
    ],
)
def test_what_an_exception_let_pass_is_refused_again(
    before: dict[str, Any], after: dict[str, Any], told: list[str]
) -> None:
    old, new = (Settings("lab", **each) for each in (before, after))
    assert [each.text for each in ended_exceptions(old, new, "lab", TODAY)] == [
        f"lab refuses pods by the rule host-ipc {clause}" for clause in told
    ]


def test_a_rule_that_is_enforced_as_its_exception_goes_is_told_once() -> None:
    old = Settings("lab", exceptions=(EXCEPTION,), **WARNED)
    assert [each.text for each in stricter_clauses(old, Settings("lab"), "lab", TODAY)] == [
        "lab refuses pods by the rule host-ipc from now on"
    ]


@pytest.mark.parametrize(
    ("after", "field"),
    [
        (_excepted(), ("policies", "exceptions")),
        (_excepted(IN_B, SOONER), ("policies", "exceptions", 1)),
    ],
)
def test_a_clause_names_the_field_that_says_so(after: dict[str, Any], field: FieldPath) -> None:
    old, new = Settings("lab", exceptions=(EXCEPTION,)), Settings("lab", **after)
    assert [each.field for each in stricter_clauses(old, new, "lab", TODAY)] == [field]


LATER = "lab refuses pods by the rule host-ipc in a only after 2027-03-31 in place of 2026-12-31"


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (_excepted(SOONER), _excepted(EXCEPTION), [LATER]),
        (_excepted(EXCEPTION), _excepted(EXCEPTION), []),
        (_excepted(EXCEPTION), _excepted(SOONER), []),
        (_excepted(SOONER), _excepted(SOONER, EXCEPTION), [LATER]),
        (_excepted(EXPIRED, SOONER), _excepted(EXCEPTION), [LATER]),
        pytest.param(_excepted(SOONER), _excepted(EXCEPTION) | WARNED, [], id="it only warns now"),
        pytest.param(_excepted(EXPIRED), _excepted(EXCEPTION), [], id="it had ended"),
        pytest.param(
            _excepted(SHARE), _excepted(replace(SHARE, expires=dt.date.max)), [], id="it warns"
        ),
    ],
)
def test_an_exception_that_ends_later_is_told(
    before: dict[str, Any], after: dict[str, Any], told: list[str]
) -> None:
    old, new = (Settings("lab", **each) for each in (before, after))
    assert [each.text for each in extended_exceptions(old, new, "lab", TODAY)] == told
