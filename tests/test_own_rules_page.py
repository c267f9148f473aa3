"""The page on custom rules says what they do."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace

from charts_py.checks.custom_rules import MAX_FIXES, MAX_RULES
from charts_py.load import load_platform
from charts_py.platform.policy_settings import policy_settings
from policies.admission import Review
from policies.custom.faults import FUNCTIONS, MACROS, MAX_LENGTH
from policies.custom.rules import MAX_MESSAGE
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.rule_name import Mode

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "own-rules.md").read_text(encoding="utf-8")
SAMPLE = ROOT / "tests" / "charts_py" / "samples" / "onprem.yaml"


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_rules_do_to_the_pod_what_the_page_says(tmp_path: Path) -> None:
    rules, pod = map(yaml.safe_load, _blocks("yaml"))
    cluster = yaml.safe_load(SAMPLE.read_text(encoding="utf-8"))
    cluster["policies"] = {**cluster.get("policies", {}), **rules["policies"]}
    file = tmp_path / "sample.yaml"
    file.write_text(yaml.safe_dump(cluster, sort_keys=False), encoding="utf-8")
    settings = policy_settings(load_platform(file, None))
    own = dict.fromkeys(rules["policies"]["own"], Mode.ENFORCE)
    engine = Engine(replace(settings, mode=Mode.OFF, modes=own))
    admission = admit_manifest(engine, pod, Review("default", dt.date(2026, 11, 22)))
    (judged,) = admission.pods
    (expected,) = _blocks("text")
    assert [str(outcome) for outcome in judged.admission.outcomes] == expected.splitlines()


@pytest.mark.parametrize(("kind", "names"), [("Macros", MACROS), ("Functions", FUNCTIONS)])
def test_what_cel_may_call_is_listed(kind: str, names: tuple[str, ...]) -> None:
    (row,) = re.findall(rf"^\| {kind} \| (.*) \|$", PAGE, re.MULTILINE)
    assert row == ", ".join(f"`{name}`" for name in names)


@pytest.mark.parametrize(
    "sentence",
    [
        f"At most {MAX_RULES} rules, {MAX_FIXES} of them with `apply`; {MAX_LENGTH} characters",
        f"cut after {MAX_MESSAGE} characters",
    ],
)
def test_the_bounds_are_those_of_the_page(sentence: str) -> None:
    assert sentence in " ".join(PAGE.split())
