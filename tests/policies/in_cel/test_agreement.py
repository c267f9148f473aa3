"""The rules in CEL find what the rules find."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

import pytest
from hypothesis import assume, given

from benchmarks.corpus import CLUSTERS, example_clusters
from benchmarks.synthetic_pods import synthetic_pods
from gpuplane.admission.loaded_rules import cluster_engine
from gpus.platform_names import GPU_MODEL
from policies.admission import UPDATE, Effect, Review
from policies.cel.variables import before
from policies.document import Document
from policies.engine import Engine
from policies.finding import Severity
from policies.in_cel.action import Action
from policies.in_cel.cluster_rules import cluster_variables
from policies.operation import copied
from policies.rule import nothing
from policies.rules import RULES
from policies.settings import Settings
from tests.policies.conftest import SETTINGS
from tests.policies.generated_pods import NAMESPACES, WRITTEN_PODS
from tests.policies.in_cel.evaluator import Evaluator, Fixer
from tests.policies.in_cel.stored import TODAY, defaulted, stored, without_empty
from tests.policies.in_cel.varied_pods import varied_pods

PODS = 20
"""Of each kind, for each cluster."""
SEED = 14
_NEAREST = re.compile(r"; (?:nearest: |none is ).*?(?=\.(?: |$))")
IN_CEL = {
    rule.name
    for rule in RULES
    if rule.in_cel.refusals is not nothing or rule.in_cel.warnings is not nothing
}


def _relabelled(pod: Document) -> Document:
    pod["metadata"]["labels"] = {"app": "another"}
    return pod


def _annotated(pod: Document) -> Document:
    pod["metadata"]["annotations"] = {GPU_MODEL: "unheard-of"}
    return pod


def _tolerating(pod: Document) -> Document:
    pod["spec"].setdefault("tolerations", []).append({"operator": "Exists"})
    return pod


def _with_another_image(pod: Document) -> Document:
    pod["spec"]["containers"][0]["image"] = "docker.io/acme/another"
    return pod


CHANGES = (_relabelled, _annotated, _tolerating, _with_another_image)
"""What an update can change of a pod."""


@pytest.fixture(scope="module", params=example_clusters())
def settings(request: pytest.FixtureRequest) -> Settings:
    return cluster_engine(CLUSTERS, request.param).settings


@pytest.fixture(scope="module")
def pods(settings: Settings) -> tuple[tuple[str, Document], ...]:
    """Return pods as they are sent, and as the rules fix them, with their namespaces."""
    return tuple(_pods(settings))


def _pods(settings: Settings) -> Iterator[tuple[str, Document]]:
    engine = Engine(settings)
    usual = islice(synthetic_pods(12, settings), PODS)
    for namespace, pod in chain(usual, varied_pods(settings, SEED, PODS)):
        fixed = engine.admit(copied(pod), Review(namespace, TODAY)).document
        for sent in (pod, fixed):
            if (valid := stored(sent)) is not None and namespace != "kube-system":
                yield namespace, valid


def _text(findings: Iterable[str]) -> str:
    """Join what is found; which name is nearest to another CEL cannot tell."""
    return _NEAREST.sub("", " ".join(findings))


def test_what_is_refused_and_what_is_warned_of_is_the_same(
    settings: Settings, pods: tuple[tuple[str, Document], ...]
) -> None:
    engine, evaluator = Engine(settings), Evaluator(settings)
    for namespace, pod in pods:
        judged = engine.admit(copied(pod), Review(namespace, TODAY, fixes=False))
        expected = {
            action: _text(str(each) for each in judged.with_effect(effect) if each.rule in IN_CEL)
            for action, effect in ((Action.DENY, Effect.DENIED), (Action.WARN, Effect.WARNED))
        }
        found = evaluator.findings(pod, namespace)
        assert {action: _text(found[action]) for action in expected} == expected, pod
    assert len(pods) > PODS


def test_an_update_is_denied_where_the_rules_deny_it(
    settings: Settings, pods: tuple[tuple[str, Document], ...]
) -> None:
    engine, evaluator = Engine(settings), Evaluator(settings)
    for number, (namespace, old) in enumerate(pods[:PODS]):
        pod = CHANGES[number % len(CHANGES)](copied(old))
        review = Review(namespace, TODAY, UPDATE, old=copied(old), fixes=False)
        expected = bool(engine.admit(copied(pod), review).denials)
        known, found = (
            evaluator.findings(each, namespace, operation=UPDATE)[Action.DENY]
            for each in (old, pod)
        )
        assert (not {*found} <= {*known}) is expected, pod


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


def test_each_refuses_warns_and_fixes_in_cel_as_it_is_meant_to() -> None:
    for rule in RULES:
        does = {
            Severity.FIX: rule.in_cel.fixes is not nothing,
            Severity.REFUSE: rule.in_cel.refusals is not nothing,
            Severity.WARN: rule.in_cel.warnings is not nothing,
        }
        assert does[rule.severity], rule.name
        assert does[Severity.REFUSE] or not rule.refuses_unfixed, rule.name


def test_variables_of_the_object_alone_are_stated_of_the_old_one() -> None:
    variables = cluster_variables(SETTINGS)
    old = before(variables)
    assert "containers_before" in old
    assert "selected_before" in old
    assert "pool_labels_before" not in old
    assert all("oldObject." in each or "_before" in each for each in old.values())
