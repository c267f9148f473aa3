"""Whatever a valid pod is, CEL finds in it what the rules find, and fixes what they fix."""

from __future__ import annotations

import datetime as dt

from hypothesis import assume, given

from policies.admission import Effect, Review
from policies.apply import copied
from policies.document import Document
from policies.engine import Engine
from policies.in_cel.action import Action
from tests.policies.conftest import SETTINGS
from tests.policies.generated_pods import NAMESPACES, WRITTEN_PODS
from tests.policies.in_cel.evaluator import Evaluator, Fixer
from tests.policies.in_cel.stored import CREATED, defaulted, stored, without_empty

TODAY = dt.date.fromisoformat(CREATED[:10])
ENGINE, EVALUATOR, FIXER = Engine(SETTINGS), Evaluator(SETTINGS), Fixer(SETTINGS)


def _named(pod: Document) -> Document:
    """Return the pod with names that are unique, as the API server has them."""
    for field in ("initContainers", "containers"):
        for number, container in enumerate(pod["spec"].get(field, ())):
            container["name"] = f"{field.lower()}-{number}"
    return pod


@given(pod=WRITTEN_PODS, namespace=NAMESPACES)
def test_what_is_found_is_what_the_rules_find(pod: Document, namespace: str) -> None:
    valid = stored(_named(pod))
    assume(valid is not None)
    assert valid is not None
    judged = ENGINE.admit(copied(valid), Review(namespace, TODAY, fixes=False))
    found = EVALUATOR.findings(valid, namespace)
    for action, effect in ((Action.DENY, Effect.DENIED), (Action.WARN, Effect.WARNED)):
        assert " ".join(found[action]) == " ".join(map(str, judged.with_effect(effect)))


@given(pod=WRITTEN_PODS, namespace=NAMESPACES)
def test_what_is_fixed_is_what_the_rules_fix(pod: Document, namespace: str) -> None:
    sent = defaulted(_named(pod))
    assume(sent is not None)
    assert sent is not None
    fixed = ENGINE.admit(copied(sent), Review(namespace, TODAY)).document
    assert FIXER.fix(sent, namespace) == without_empty(fixed)
