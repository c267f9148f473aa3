"""Without a webhook, the API server makes of pods what the rules make of them, by policies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from charts_py.components.admission_policies.fixes import fixes_policies
from charts_py.components.admission_policies.mutating_policy import MutatingPolicy
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.release.rendered_cluster import render_platform
from policies.admission import Effect, Review
from policies.apply import copied
from policies.engine import Engine
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.sent_pods import sent_pods
from tests.e2e.polling import polls
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.placements import PATIENCE_SECONDS
from webhook.reviewer import today

SYNTHETIC = 1000
CLIENTS = 4
RUNTIME_CLASS = {
    "apiVersion": "node.k8s.io/v1",
    "kind": "RuntimeClass",
    "metadata": {"name": "nvidia"},
    "handler": "nvidia",
}


def _surroundings(platform: Platform) -> Iterator[Document]:
    for path, content in sorted(render_platform(platform, "cluster.yaml").files.items()):
        if path.startswith("priority-classes/") and path.endswith(".yaml"):
            yield from from_yaml(content.decode())
    for name in (*policy_settings(platform).namespaces, "foreign"):
        yield namespace(name)
    yield RUNTIME_CLASS


def _objects(policy: MutatingPolicy) -> Iterator[Document]:
    for kind, spec in (
        (policy.kind, policy.spec()),
        (f"{policy.kind}Binding", policy.binding_spec()),
    ):
        yield {
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": kind,
            "metadata": {"name": policy.name},
            "spec": spec,
        }


def _made(client: ApiClient, pod: Document) -> Document | str:
    """Return what a client decides of the pod that the API server makes, or why it refuses it."""
    try:
        made = client.create(pod, dryRun="All").document
    except ApiError as error:
        return error.message
    metadata = {name: made["metadata"].get(name, {}) for name in ("labels", "annotations")}
    # The API server adds two of its own to a pod that is sent, after those that it has already.
    made["spec"]["tolerations"].sort(key=str)
    return {"metadata": metadata, "spec": made["spec"]}


def _all_made(client: ApiClient, pods: list[Document]) -> list[Document | str]:
    with ThreadPoolExecutor(CLIENTS) as pool:
        return list(pool.map(lambda pod: _made(client, pod), pods))


@pytest.mark.parametrize("cluster", ["training", "onprem"])
def test_pods_become_what_the_rules_make_of_them(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence, cluster: str
) -> None:
    settings = policy_settings(platforms[cluster])
    engine = Engine(settings)
    sent = list(sent_pods(settings, SYNTHETIC, seed=2027))
    admissions = [engine.admit(copied(pod), Review(space, today())) for space, pod in sent]
    fixed = [admission.document for admission in admissions]
    (policy,) = fixes_policies(settings)
    with applied(admin, list(_surroundings(platforms[cluster]))):
        expected = _all_made(admin, fixed)
        with applied(admin, list(_objects(policy))):
            _wait_until_known(admin, sent, expected)
            made = _all_made(admin, [pod for _, pod in sent])
            again = _all_made(admin, fixed)
    different = [
        (pod, one, other)
        for (_, pod), one, other in zip(sent, made, expected, strict=True)
        if one != other and not (isinstance(one, str) and isinstance(other, str))
    ]
    assert different == []
    assert again == expected
    outcomes = [outcome for admission in admissions for outcome in admission.outcomes]
    rules = Counter(each.finding.rule.value for each in outcomes if each.effect is Effect.FIXED)
    evidence.show(
        f"With no webhook, the API server makes of the pods of {cluster} what the webhook makes.",
        f"{sum(isinstance(each, dict) for each in made)} pods alike, "
        + ", ".join(f"{rule} {count}" for rule, count in sorted(rules.items())),
    )


def _wait_until_known(
    client: ApiClient, sent: list[tuple[str, Document]], expected: list[Document | str]
) -> None:
    """Try a pod until the API server, which reads of policies late, fixes it."""
    probe, fixed = next(
        (pod, made)
        for (_, pod), made in zip(sent, expected, strict=True)
        if isinstance(made, dict) and "gpuplane.io/fixed" in made["metadata"]["annotations"]
    )
    for _ in polls(PATIENCE_SECONDS):
        if "gpuplane.io/fixed" in str(_made(client, probe)):
            return
    raise TimeoutError(f"not fixed after {PATIENCE_SECONDS} s: {probe}, but should be {fixed}")
