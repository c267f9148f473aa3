"""The API server decides by its own policies as the rules do, about thousands of pods."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from charts_py.components.admission_policies.pods import pods_policies
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.release.rendered_cluster import render_platform
from policies.admission import Effect, Review
from policies.apply import copied
from policies.engine import Engine
from policies.in_cel.rules import RULES_IN_CEL
from policies.settings import Settings
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import Decision, decide
from tests.e2e.in_tree.sent_pods import sent_pods
from tests.e2e.polling import polls
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.placements import PATIENCE_SECONDS
from webhook.reviewer import today

SYNTHETIC = 1000
CLIENTS = 4
DIFFERENT = "decided differently"
IN_CEL = {rule.name for rule in RULES_IN_CEL}
CLASSES = "priority-classes/"
RUNTIME_CLASS = {
    "apiVersion": "node.k8s.io/v1",
    "kind": "RuntimeClass",
    "metadata": {"name": "nvidia"},
    "handler": "nvidia",
}
_NEAREST = re.compile(r"; nearest: [^.]*")


def _objects(platform: Platform) -> Iterator[Document]:
    """Yield the policies of all actions, and what pods name."""
    settings = policy_settings(platform)
    files = render_platform(platform, "cluster.yaml").files
    for path, content in sorted(files.items()):
        if path.startswith(CLASSES) and path.endswith(".yaml"):
            yield from from_yaml(content.decode())
    for name in (*settings.namespaces, "foreign"):
        yield namespace(name)
    yield RUNTIME_CLASS
    for policy in pods_policies(settings):
        yield _object("ValidatingAdmissionPolicy", policy.name, policy.spec())
        yield _object("ValidatingAdmissionPolicyBinding", policy.name, policy.binding_spec())


def _object(kind: str, name: str, spec: Document) -> Document:
    group = "admissionregistration.k8s.io/v1"
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name}, "spec": spec}


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
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence, cluster: str
) -> None:
    settings = policy_settings(platforms[cluster])
    engine = Engine(settings)
    pods = list(_pods(engine, settings))
    with applied(admin, list(_objects(platforms[cluster]))):
        _wait_until_known(admin, engine)
        with ThreadPoolExecutor(CLIENTS) as pool:
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


def _wait_until_known(admin: ApiClient, engine: Engine) -> None:
    """Try pods until the API server, which reads of policies late, decides as it should."""
    probes = [
        _asking("nvidia.com/gpu", {"hostIPC": True}),
        _asking("nvidia.com/gpu", {}),
    ]
    pairs: list[tuple[Decision, Decision]] = []
    for _ in polls(PATIENCE_SECONDS):
        pairs = [(decide(admin, pod), _expected(engine, pod, "foreign")) for pod in probes]
        if all(_outcome(*pair) != DIFFERENT for pair in pairs):
            return
    raise TimeoutError(f"it decides otherwise after {PATIENCE_SECONDS} s: {pairs}")


def _asking(resource: str, spec: Document) -> Document:
    container = {"name": "a", "image": "registry.example.com/a:1"}
    limited = {**container, "resources": {"limits": {resource: "1"}}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "probe", "namespace": "foreign"},
        "spec": {"containers": [limited], **spec},
    }
