"""What is true of every rule."""

import copy
import pkgutil
from collections.abc import Callable
from random import Random
from typing import Any

import jsonpatch
import pytest
from hypothesis import given, settings as examples, strategies as st
from msgspec.structs import replace

import policies.rules
from policies.admission import Effect, Review
from policies.document import Document
from policies.engine import Engine
from policies.finding import Severity
from policies.pod import Pod
from policies.reach import Offer
from policies.rule import Context, Rule
from policies.rule_name import RuleName
from policies.rules import RULES
from policies.settings import Settings, UnequalGpus
from tests.policies.conftest import QUEUES, TODAY
from tests.policies.generated_pods import NAMESPACES, PODS
from tests.policies.lost_fields import lost_fields


@pytest.fixture(scope="session")
def full(settings: Settings) -> Settings:
    """Settings that give every rule something to do."""
    return replace(
        settings,
        registries=("ghcr.io/acme",),
        runtime_class="nvidia",
        queue_scheduler=QUEUES,
        unequal_gpus=UnequalGpus.USE_LIMITS,
    )


def _context(settings: Settings, namespace: str) -> Context:
    offer = Offer(settings.pools, settings.absent_labels)
    return Context(settings, offer, namespace, settings.namespaces.get(namespace))


def test_every_module_holds_one_registered_rule_of_its_name() -> None:
    modules = sorted(module.name for module in pkgutil.iter_modules(policies.rules.__path__))
    assert sorted(rule.name.replace("-", "_") for rule in RULES) == modules
    assert sorted(rule.prefix for rule in RULES) == modules
    assert sorted(rule.name for rule in RULES) == sorted(RuleName)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.value)
def test_a_summary_is_a_sentence(rule: Rule) -> None:
    assert rule.summary.endswith(".")
    assert rule.summary[0].isupper()


@given(pod=PODS, namespace=NAMESPACES)
def test_rules_raise_nothing_change_nothing_and_say_whole_sentences(
    full: Settings, pod: Document, namespace: str
) -> None:
    context = _context(full, namespace)
    before = copy.deepcopy(pod)
    for rule in RULES:
        if not rule.applies(full) or not rule.concerns(context):
            continue
        first = list(rule.evaluate(Pod(pod, context.offer.names.is_gpu), context))
        assert pod == before
        assert first == list(rule.evaluate(Pod(pod, context.offer.names.is_gpu), context))
        for finding in first:
            assert finding.rule is rule.name
            assert finding.message.endswith(".")
            assert finding.remedy.endswith(".")
            assert bool(finding.fix) is (finding.severity is Severity.FIX)


@examples(max_examples=2 * examples().max_examples)
@given(pod=PODS, namespace=NAMESPACES, fixes=st.booleans())
def test_no_pod_makes_a_rule_or_its_fix_fail(
    full: Settings, pod: Document, namespace: str, fixes: bool
) -> None:
    admission = Engine(full).admit(pod, Review(namespace, TODAY, fixes=fixes))
    assert admission.with_effect(Effect.FAILED) == ()
    assert all(len(warning) < 120 and warning.isprintable() for warning in admission.warnings)
    assert all(key and value for key, value in admission.audit_annotations.items())


@given(pod=PODS, namespace=NAMESPACES)
def test_the_patch_makes_the_pod_after_the_fixes(
    full: Settings, pod: Document, namespace: str
) -> None:
    original = copy.deepcopy(pod)
    admission = Engine(full).admit(pod, Review(namespace, TODAY))
    patch = [operation.to_json() for operation in admission.operations]
    assert jsonpatch.apply_patch(original, patch) == admission.document


@given(pod=PODS, namespace=NAMESPACES)
def test_admitting_the_result_changes_nothing(
    full: Settings, pod: Document, namespace: str
) -> None:
    engine = Engine(full)
    once = engine.admit(pod, Review(namespace, TODAY))
    again = engine.admit(copy.deepcopy(once.document), Review(namespace, TODAY))
    assert again.operations == ()
    assert again.document == once.document


_ORDERS = "\x1b[2J\r\n\u202e\u200b" + "x" * 5000
"""Orders to a terminal, and letters that hide or turn others; too much to be repeated."""
MAX_SAID = 1500
"""Characters of a sentence that names some containers, pools and values."""


def _spoilt(value: Any, spoil: Callable[[str], str]) -> Any:
    """Return the value with its strings spoilt, and the names that anybody may choose."""
    if isinstance(value, dict):
        free = {name: spoil(name) if "/" in name else name for name in value}
        return {free[name]: _spoilt(member, spoil) for name, member in value.items()}
    if isinstance(value, list):
        return [_spoilt(element, spoil) for element in value]
    return spoil(value) if isinstance(value, str) else value


@examples(max_examples=2 * examples().max_examples)
@given(pod=PODS, namespace=NAMESPACES, picks=st.randoms(use_true_random=False))
def test_whatever_a_pod_says_is_repeated_short_and_as_printable_text(
    full: Settings, pod: Document, namespace: str, picks: Random
) -> None:
    spoilt = _spoilt(pod, lambda text: text + _ORDERS if picks.random() < 0.2 else text)
    for operation in ("CREATE", "UPDATE"):
        review = Review(namespace, TODAY, operation=operation, fixes=False)
        admission = Engine(full).admit(copy.deepcopy(spoilt), review)
        said = [str(outcome) for outcome in admission.outcomes]
        said += [finding.culprit for finding in (o.finding for o in admission.outcomes)]
        assert [text for text in said if not text.isprintable() or len(text) > MAX_SAID] == []
        assert all(map(str.isprintable, admission.warnings))
        assert all(map(str.isprintable, admission.audit_annotations.values()))


_REPLACED = ("/spec/priority", "/spec/preemptionPolicy")
"""What the API server computes again from the priority class."""


@given(pod=PODS, namespace=NAMESPACES)
def test_nothing_that_a_pod_says_is_lost(full: Settings, pod: Document, namespace: str) -> None:
    original = copy.deepcopy(pod)
    admission = Engine(full).admit(pod, Review(namespace, TODAY))
    touched = {operation.path for operation in admission.operations}
    lost = set(lost_fields(original, admission.document)) - set(_REPLACED)
    assert not {path for path in lost if not path.startswith(tuple(touched))}
