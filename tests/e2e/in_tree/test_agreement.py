"""The API server decides by its own policies as the rules do, about thousands of pods."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from policies.admission import Effect, Review
from policies.apply import copied
from policies.engine import Engine
from policies.in_cel.rule_in_cel import nothing
from policies.in_cel.rules import RULES_IN_CEL
from policies.settings import Settings
from tests.binaries.control_plane import OLDEST, PinnedKubernetes
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import Decision, decide
from tests.e2e.in_tree.policies import policies_applied
from tests.e2e.in_tree.sent_pods import sent_pods
from webhook.reviewer import today

SYNTHETIC = 1000
CLIENTS = 4
DIFFERENT = "decided differently"
IN_CEL = {
    rule.name
    for rule in RULES_IN_CEL
    if rule.refusals is not nothing or rule.warnings is not nothing
}
_NEAREST = re.compile(r"; nearest: [^.]*")


def _expected(engine: Engine, pod: Document, space: str) -> Decision:
    judged = engine.admit(copied(pod), Review(space, today(), fixes=False))
    return Decision(
        denial=_text(f for f in judged.with_effect(Effect.DENIED) if f.rule in IN_CEL),
        warnings=tuple(str(f) for f in judged.with_effect(Effect.WARNED) if f.rule in IN_CEL),
    )


def _text(findings: Iterable[object]) -> str:
    return _NEAREST.sub("", " ".join(map(str, findings)))


@pytest.mark.parametrize("cluster", ["training", "onprem"])
def test_the_api_server_and_the_rules_decide_alike(
    admin: ApiClient,
    kubernetes: PinnedKubernetes,
    platforms: dict[str, Platform],
    evidence: Evidence,
    cluster: str,
) -> None:
    settings = policy_settings(platforms[cluster])
    engine = Engine(settings)
    pods = [each for each in _pods(engine, settings) if _is_known(each[1], kubernetes)]
    with policies_applied(admin, platforms[cluster]), ThreadPoolExecutor(CLIENTS) as pool:
        decisions = list(pool.map(lambda each: decide(admin, each[1]), pods))
    pairs = [
        (decision, _expected(engine, pod, space))
        for (space, pod), decision in zip(pods, decisions, strict=True)
    ]
    assert [pair for pair in pairs if _outcome(*pair) == DIFFERENT] == []
    outcomes = Counter(_outcome(*pair) for pair in pairs)
    assert set(outcomes) > {"denied alike", "warned alike", "admitted alike"}
    evidence.show(
        f"The API server decides by itself as the rules do, about the pods of {cluster}: the same "
        "denials and warnings, word for word.",
        ", ".join(f"{outcome} {count}" for outcome, count in sorted(outcomes.items())),
    )


def _pods(engine: Engine, settings: Settings) -> Iterator[tuple[str, Document]]:
    """Yield pods as they are sent, and as the webhook fixes them."""
    for space, pod in sent_pods(settings, SYNTHETIC, seed=2026):
        yield space, pod
        yield space, engine.admit(copied(pod), Review(space, today())).document


def _is_known(pod: Document, kubernetes: PinnedKubernetes) -> bool:
    """Tell whether the API server keeps all of a pod: it drops what is switched off there."""
    spec = pod["spec"]
    of_later = spec["resourceClaims"] or any("image" in volume for volume in spec["volumes"])
    return kubernetes is not OLDEST or not of_later


def _outcome(decision: Decision, expected: Decision) -> str:
    if decision.refusal:
        return "refused by the API server itself"
    if _text([decision.denial]) != expected.denial:
        return DIFFERENT
    if decision.denial:
        return "denied alike"
    if _text(decision.warnings) != _text(expected.warnings):
        return DIFFERENT
    return "warned alike" if decision.warnings else "admitted alike"
