"""The API server's policies of custom rules say what `gpuplane admit` says."""

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from policies.admission import CREATE, UPDATE, Effect, Review
from policies.cel.variables import needed
from policies.custom.expressions import EvaluationError
from policies.custom_rule import CustomAudience, CustomRule, CustomSeverity
from policies.document import Document
from policies.engine import Engine
from policies.in_cel.action import Action
from policies.in_cel.custom_rules import asks_for_gpu, fix_stages, fix_variables, validations
from policies.operation import Operation, apply, copied
from policies.rule_name import Mode
from policies.settings import RuleException, Settings
from tests.policies.custom.agreed import CUSTOM, SPACES, pods, settings_with
from tests.policies.in_cel.evaluator import evaluated
from tests.policies.in_cel.stored import CREATED, TODAY

CREATION = {"metadata": {"creationTimestamp": CREATED, "name": "a"}}
EFFECTS = {Effect.DENIED: Action.DENY, Effect.WARNED: Action.WARN, Effect.AUDITED: Action.AUDIT}
QUOTED = CustomRule(
    "quoted",
    """object.spec.hostname != "variables.a object." && 'it\\'s object.' != r'object.\\d' """
    "// don't",
    message_expression="'é 😀 object.' + object.spec.hostname",
    audience=CustomAudience.ALL_PODS,
)
FIX = CustomRule(
    "class",
    "object.spec.?nodeName.orValue('a') != 'a'",
    "No é 😀.",
    severity=CustomSeverity.WARN,
    audience=CustomAudience.ALL_PODS,
    apply='[{"op": "add", "path": "/spec/nodeName", "value": request.namespace}]',
)


def _settings(*own: CustomRule) -> Settings:
    return Settings("test", mode=Mode.OFF, modes={each.name: Mode.ENFORCE for each in own}, own=own)


def _data(pod: Document, namespace: str, old: Document | None = None) -> dict[str, Any]:
    operation = CREATE if old is None else UPDATE
    request = {"namespace": namespace, "operation": operation}
    return {"object": pod, "oldObject": old, "request": request, "variables": {}}


def _found(settings: Settings, data: Mapping[str, Any]) -> Iterator[tuple[Action, str]]:
    """Yield what the validations of each action find, or the name of a rule in error."""
    for action in Action:
        for audience in CustomAudience:
            if audience is CustomAudience.GPU_PODS and not evaluated(asks_for_gpu(settings), data):
                continue
            for custom, validation in validations(action, audience, settings):
                try:
                    if evaluated(validation["expression"], data):
                        continue
                except EvaluationError:
                    yield action, custom.name
                    continue
                message = validation.get("messageExpression")
                yield action, evaluated(message, data) if message else validation["message"]


def _fixed(settings: Settings, pod: Document, namespace: str) -> Document:
    made: Document = copied(pod)
    for stage in fix_stages(settings):
        variables: dict[str, Any] = {}
        data = {**_data(made, namespace), "variables": variables}
        for name, variable in needed([stage], fix_variables(settings)).items():
            variables[name] = evaluated(variable, data)
        apply(made, [Operation(*each) for each in evaluated(stage, data)])
    return made


def _judged(
    engine: Engine, pod: Document, namespace: str, old: Document | None = None
) -> Iterator[tuple[Action, str]]:
    operation = CREATE if old is None else UPDATE
    review = Review(namespace, TODAY, operation=operation, old=old, fixes=False)
    for outcome in engine.admit(copied(pod), review).outcomes:
        is_error = "could not be evaluated" in outcome.finding.message
        said = outcome.finding.rule if is_error else str(outcome.finding)
        yield EFFECTS[outcome.effect], str(said)


@pytest.mark.parametrize("space", SPACES)
def test_the_policies_and_admit_find_the_same_in_new_and_updated_pods(space: str) -> None:
    settings = replace(settings_with(Settings("test")), modes=dict.fromkeys(_names(), Mode.ENFORCE))
    engine = Engine(settings)
    # How spaces differ does not depend on the pod: elsewhere, one of 7 has any pair of facts.
    some = [*pods()][:: 1 if space == "enforced" else 7]
    made = [{**pod, "metadata": {**CREATION["metadata"], **pod["metadata"]}} for pod in some]
    for pod, old in zip(made, [None, *made[:-1]], strict=True):
        for before in {id(old): old, id(None): None}.values():
            found = sorted(_found(settings, _data(pod, space, before)))
            assert found == sorted(_judged(engine, pod, space, before))


def _names() -> list[str]:
    return [custom.name for custom in CUSTOM]


@pytest.mark.parametrize("space", ["enforced", "warned"])
def test_the_policy_and_admit_fix_the_same(space: str) -> None:
    settings = replace(settings_with(Settings("test")), modes=dict.fromkeys(_names(), Mode.ENFORCE))
    engine = Engine(settings)
    for pod in pods():
        expected = engine.admit(copied(pod), Review(space, TODAY)).document
        assert _fixed(settings, pod, space) == expected


def test_texts_and_comments_are_left_as_they_are() -> None:
    ((_, validation),) = validations(Action.DENY, CustomAudience.ALL_PODS, _settings(QUOTED))
    new, _, old = validation["expression"].partition(' ? true : request.operation == "UPDATE" && !')
    assert old.startswith(new[1:].replace("object.spec", "oldObject.spec"))
    assert old.count("oldObject.spec") == 2


def test_what_is_found_is_what_the_rule_says() -> None:
    pod = {**CREATION, "spec": {"hostname": "variables.a object.", "containers": []}}
    found = [*_found(_settings(QUOTED, FIX), _data(pod, "space"))]
    assert found == [
        (Action.DENY, "quoted: é 😀 object.variables.a object."),
        (Action.WARN, "class: No é 😀."),
    ]


def test_a_long_message_is_cut_as_admit_cuts_it() -> None:
    pod = {**CREATION, "spec": {"hostname": "a" * 600, "containers": []}}
    rule = replace(QUOTED, expression="false")
    assert [*_found(_settings(rule), _data(pod, "space"))] == [
        *_judged(Engine(_settings(rule)), pod, "space")
    ]


def test_a_message_shows_the_codes_of_what_does_not_show_as_admit_does() -> None:
    pod = {**CREATION, "spec": {"hostname": "a\x1b[31m\u202eb\né", "containers": []}}
    rule = replace(QUOTED, expression="false", message_expression="object.spec.hostname")
    said = [(Action.DENY, r"quoted: a\x1b[31m\xe2\x80\xaeb\x0aé")]
    assert [*_found(_settings(rule), _data(pod, "space"))] == said
    assert [*_judged(Engine(_settings(rule)), pod, "space")] == said


@pytest.mark.parametrize(
    "read",
    [
        "object.metadata.labels.object",
        "object.metadata.labels. object",
        "object.metadata.labels\n .\n object",
        "object.metadata.labels // it's object.\n . // it's object.\n object",
        "object.metadata.labels.`object`",
        ".object.metadata.labels.object",
        "object.metadata.labels.?object.orValue('')",
        "object.metadata.labels. ? object.orValue('')",
    ],
)
def test_the_old_pod_is_read_wherever_the_pod_is_and_no_label_called_object(read: str) -> None:
    rule = replace(QUOTED, expression=f"{read} == 'good'", message_expression=read)
    new, old = (
        {
            "metadata": {**CREATION["metadata"], "labels": {"object": each}},
            "spec": {"containers": []},
        }
        for each in ("bad", "good")
    )
    settings = _settings(rule)
    assert [*_found(settings, _data(new, "space", old))] == [(Action.DENY, "quoted: bad")]
    assert [*_found(settings, _data(new, "space", new))] == []


def test_an_exception_is_one_until_its_last_day() -> None:
    pod = {**CREATION, "spec": {"hostname": "variables.a object.", "containers": []}}
    for expires, action in ((TODAY, Action.AUDIT), (TODAY - dt.timedelta(1), Action.DENY)):
        exception = RuleException("quoted", "space", "moves", "a@b.c", expires)
        settings = replace(_settings(QUOTED), exceptions=(exception,))
        assert [found for found, _ in _found(settings, _data(pod, "space"))] == [action]


def test_validations_read_no_variables() -> None:
    settings = replace(
        settings_with(Settings("test")),
        own=tuple(replace(each, audience=CustomAudience.GPU_PODS) for each in CUSTOM),
    )
    written = [
        text
        for action in Action
        for _, validation in validations(action, CustomAudience.GPU_PODS, settings)
        for text in validation.values()
    ]
    assert len(written) > 9
    assert [text for text in (*written, asks_for_gpu(settings)) if "variables." in text] == []


def test_a_rule_may_be_called_old_or_before() -> None:
    names = ("x", "old-x", "x-before", "old-image-tag")
    own = [replace(FIX, name=name) for name in names]
    assert len({*fix_variables(_settings(*own))}) == len(names)


def test_each_fix_is_a_stage_after_all_others() -> None:
    again = replace(FIX, name="again", expression="object.spec.nodeName.startsWith('b')")
    settings = _settings(FIX, QUOTED, replace(again, apply=FIX.apply.replace("add", "replace")))
    assert len(fix_stages(settings)) == 2
    pod = {**CREATION, "spec": {"hostname": "a", "containers": []}}
    assert _fixed(settings, pod, "b")["spec"]["nodeName"] == "b"
    assert fix_stages(replace(settings, modes={})) == ()
