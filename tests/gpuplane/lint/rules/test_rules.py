"""What each rule of the linter finds: rows of objects with everything that is found in them."""

import copy
import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from charts_py.objects.document import Document
from gpuplane.lint import rules
from gpuplane.lint.registry import LINT_RULES
from gpuplane.lint.rule import LintContext, LintRule, RuleFinding, lint_object
from policies.document import elements, members
from policies.operation import apply

ROWS = Path(__file__).parent
BY_NAME = {rule.name: rule for rule in LINT_RULES}

Contexts = Callable[..., LintContext]
Rows = list[Any]


BY_RULE: dict[str, Rows] = {
    file.stem: yaml.load(file.read_bytes(), yaml.CSafeLoader)
    for file in sorted(ROWS.glob("*.yaml"))
}
each_rule = pytest.mark.parametrize(
    ("rule", "rows"), [(BY_NAME[name], rows) for name, rows in BY_RULE.items()], ids=BY_RULE
)


def _found(contexts: Contexts, rule: LintRule, row: Any, document: Document) -> list[RuleFinding]:
    of_file = (
        "is_named",
        "lacks",
        "brings",
        "refused_services",
        "claims",
        "levels",
        "runtimes",
        "has_gateway",
    )
    names = ("namespace", "queues", "kubernetes", "beside", *of_file)
    stated = {key: row[key] for key in names if key in row}
    context = contexts(**stated)
    return list(rule.check(lint_object(document, context.offer), context))


def _told(finding: RuleFinding) -> str:
    severity = f"{finding.severity} " if finding.severity else ""
    return f"{severity}{finding.pointer}: {finding.message} {finding.remedy}"


@each_rule
def test_a_rule_finds_this_and_nothing_else(rule: LintRule, rows: Rows, context: Contexts) -> None:
    found = [(row["name"], _found(context, rule, row, row["object"])) for row in rows]
    assert [(name, [_told(finding) for finding in each]) for name, each in found] == [
        (row["name"], row.get("found", [])) for row in rows
    ]


@each_rule
def test_a_rule_leaves_the_object_as_it_is(rule: LintRule, rows: Rows, context: Contexts) -> None:
    for row in rows:
        document = copy.deepcopy(row["object"])
        _found(context, rule, row, document)
        assert (row["name"], document) == (row["name"], row["object"])


@each_rule
def test_what_is_fixed_is_found_no_more(rule: LintRule, rows: Rows, context: Contexts) -> None:
    for row in rows:
        document = copy.deepcopy(row["object"])
        found = _found(context, rule, row, document)
        fixed = [finding for finding in found if finding.fix]
        for finding in fixed:
            apply(document, finding.fix)
        left = _found(context, rule, row, document)
        assert (row["name"], len(left)) == (row["name"], len(found) - len(fixed))


@each_rule
def test_a_rule_finds_nothing_without_gpus(rule: LintRule, rows: Rows, context: Contexts) -> None:
    of_all = {"admission-policies", "api-version", "container-resources", "invalid-fields"}
    of_others = {"blocked-drain", "job-ttl", "scaler-metrics", "train-job-gang", "without-effect"}
    of_others |= {"http-route", "inference-pool", "server-port"}
    if rule.name in of_all | of_others:
        pytest.skip("it looks at all objects")
    for row in (each for each in rows if each.get("namespace") != "few"):
        text = yaml.dump(row["object"], Dumper=yaml.CSafeDumper).replace("resourceClaims", "claims")
        document = yaml.load(text.replace("nvidia.com/", "example.com/"), yaml.CSafeLoader)
        assert (row["name"], _found(context, rule, row, document)) == (row["name"], [])


def _changed(value: Any, steps: list[int], junk: Any) -> Any:
    """Return the value with junk in a place that the steps choose."""
    children: list[tuple[Any, Any]] = [*members(value).items()] or [*enumerate(elements(value))]
    if not steps or not children:
        return junk
    name, child = children[steps[0] % len(children)]
    value[name] = _changed(child, steps[1:], junk)
    return value


JUNK: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just([]) | st.just({})
)


@given(
    st.sampled_from([(BY_NAME[name], row) for name, rows in BY_RULE.items() for row in rows]),
    st.lists(st.integers(0, 6), max_size=10),
    JUNK | st.lists(JUNK, max_size=2),
)
def test_no_object_makes_a_rule_raise(
    context: Contexts, chosen: tuple[LintRule, Any], steps: list[int], junk: Any
) -> None:
    rule, row = chosen
    document = _changed(copy.deepcopy(row["object"]), steps, junk)
    for finding in _found(context, rule, row, dict(members(document))):
        assert finding.message.endswith(".")


def test_every_rule_has_rows_and_no_other_rows_are_left_over() -> None:
    assert sorted(file.stem for file in ROWS.glob("*.yaml")) == sorted(BY_NAME)


def test_every_module_of_rules_is_registered_under_its_name() -> None:
    names = [name for _, name, _ in pkgutil.iter_modules(rules.__path__)]
    found = {name: importlib.import_module(f"{rules.__name__}.{name}").RULE for name in names}
    assert {rule.name.replace("-", "_"): rule for rule in LINT_RULES} == found
