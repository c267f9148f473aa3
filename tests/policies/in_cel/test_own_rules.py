"""Rules of a platform team's own are the same text in the API server's policies."""

from __future__ import annotations

from msgspec.structs import replace

from policies.in_cel.action import Action
from policies.in_cel.cluster_fixes import fix_stages
from policies.in_cel.cluster_rules import cluster_variables, findings_by
from policies.in_cel.variables import before, needed
from policies.mode import Mode
from policies.settings import Settings
from policies.settings_own_rule import OwnAudience, OwnRule, OwnSeverity
from tests.policies.in_cel.evaluator import Evaluator, Fixer
from tests.policies.in_cel.stored import CREATED

CREATION = {"metadata": {"creationTimestamp": CREATED, "name": "a"}}
QUOTED = OwnRule(
    "quoted",
    """object.spec.hostname != "variables.a object." && 'it\\'s object.' != r'object.\\d' """
    "// don't",
    message_expression="'é 😀 object.' + object.spec.hostname",
    audience=OwnAudience.ALL_PODS,
)
FIX = OwnRule(
    "class",
    "object.spec.?nodeName.orValue('a') != 'a'",
    "No é 😀.",
    severity=OwnSeverity.WARN,
    audience=OwnAudience.ALL_PODS,
    apply='[{"op": "add", "path": "/spec/nodeName", "value": request.namespace}]',
)


def _settings(*own: OwnRule) -> Settings:
    return Settings("test", mode=Mode.OFF, modes={each.name: Mode.ENFORCE for each in own}, own=own)


def test_texts_and_comments_are_left_as_they_are() -> None:
    variables = cluster_variables(_settings(QUOTED))
    found = findings_by(Action.DENY, _settings(QUOTED))
    read = needed([each.expression for each in found], variables)
    old = before(read)["quoted_refused_before"]
    assert old == read["quoted_refused"].replace("object.spec", "oldObject.spec")
    assert old.count("oldObject.spec") == 2


def test_what_is_found_is_what_the_rule_says() -> None:
    pod = {**CREATION, "spec": {"hostname": "variables.a object.", "containers": []}}
    found = Evaluator(_settings(QUOTED, FIX)).findings(pod, "space")
    assert found[Action.DENY] == ["quoted: é 😀 object.variables.a object."]
    assert found[Action.WARN] == ["class: No é 😀."]


def test_a_rule_may_be_called_old_or_before() -> None:
    names = ("x", "old-x", "x-before", "old-image-tag")
    own = [replace(QUOTED, name=name, message="No.", message_expression="") for name in names]
    settings = _settings(*own)
    findings = findings_by(Action.DENY, settings)
    read = needed([each.expression for each in findings], cluster_variables(settings))
    assert {f"{name.replace('-', '_')}_refused" for name in names} <= read.keys()
    assert read.keys().isdisjoint(before(read))


def test_each_fix_is_a_stage_after_all_others() -> None:
    again = replace(FIX, name="again", expression="object.spec.nodeName.startsWith('b')")
    settings = _settings(FIX, QUOTED, replace(again, apply=FIX.apply.replace("add", "replace")))
    assert len(fix_stages(settings)) == 2
    pod = {**CREATION, "spec": {"hostname": "a", "containers": []}}
    assert Fixer(settings).fix(pod, "b")["spec"]["nodeName"] == "b"
    assert fix_stages(replace(settings, modes={})) == ()
