"""Without a webhook, the API server makes of pods what the rules make of them, by policies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.release.rendered_cluster import render_platform
from charts_py.spec.admission import Admission
from gpus.platform_names import FIXED
from policies.admission import Effect, Review
from policies.apply import copied
from policies.engine import Engine
from policies.in_cel.rule_in_cel import nothing
from policies.in_cel.rules import RULES_IN_CEL
from policies.own_name import OwnName
from policies.rule_name import RuleName
from tests.e2e.control_plane.api_client import ApiClient, ApiError
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.sent_pods import sent_pods
from tests.e2e.polling import polls
from tests.e2e.releases.objects import applied, namespace
from tests.e2e.scheduling.placements import PATIENCE_SECONDS
from webhook.reviewer import today

SYNTHETIC = 1000
CLIENTS = 4
CONTAINERS, GPUS = 50, 8
DENIED = "denied request"
REFUSING = {rule.name for rule in RULES_IN_CEL if rule.refusals is not nothing}
RUNTIME_CLASS = {
    "apiVersion": "node.k8s.io/v1",
    "kind": "RuntimeClass",
    "metadata": {"name": "nvidia"},
    "handler": "nvidia",
}


def _in_tree_only(platform: Platform) -> Platform:
    policies = platform.cluster.policies.model_copy(update={"admission": Admission.IN_TREE_ONLY})
    return replace(platform, cluster=platform.cluster.model_copy(update={"policies": policies}))


def _component(platform: Platform, name: str) -> Iterator[Document]:
    for path, content in sorted(render_platform(platform, "cluster.yaml").files.items()):
        if path.startswith(f"{name}/") and path.endswith(".yaml"):
            yield from from_yaml(content.decode())


def _surroundings(platform: Platform) -> Iterator[Document]:
    yield from _component(platform, "priority-classes")
    for name in (*policy_settings(platform).namespaces, "foreign"):
        yield namespace(name)
    yield RUNTIME_CLASS


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
    platform = _in_tree_only(platforms[cluster])
    settings = policy_settings(platform)
    engine = Engine(settings)
    sent = list(sent_pods(settings, SYNTHETIC, seed=2027))
    admissions = [engine.admit(copied(pod), Review(space, today())) for space, pod in sent]
    fixed = [admission.document for admission in admissions]
    judged = [
        engine.admit(copied(pod), Review(space, today(), fixes=False))
        for (space, _), pod in zip(sent, fixed, strict=True)
    ]
    denying = [{each.rule for each in judgment.denials} & REFUSING for judgment in judged]
    with applied(admin, list(_surroundings(platform))):
        expected = _all_made(admin, fixed)
        with applied(admin, list(_component(platform, "admission-policies"))):
            _wait_until_known(admin, [pod for _, pod in sent], expected, denying)
            made = _all_made(admin, [pod for _, pod in sent])
            again = _all_made(admin, fixed)
    different = [
        (pod, one, other, [str(each) for each in judgment.denials])
        for (_, pod), one, other, judgment in zip(sent, made, expected, judged, strict=True)
        if not _are_alike(one, other, {each.rule for each in judgment.denials})
    ]
    assert different == []
    assert _pods(again) == _pods(made)
    outcomes = [outcome for admission in admissions for outcome in admission.outcomes]
    rules = Counter(each.finding.rule.value for each in outcomes if each.effect is Effect.FIXED)
    evidence.show(
        f"With no webhook, the API server makes of the pods of {cluster} what the webhook makes, "
        "and denies those that it denies.",
        f"{sum(isinstance(each, dict) for each in made)} pods alike, "
        f"{sum(DENIED in each for each in made if isinstance(each, str))} denied; "
        + ", ".join(f"{rule} {count}" for rule, count in sorted(rules.items())),
    )


def _many(containers: int) -> Document:
    """Return a pod of which eight containers ask for a GPU, and all need fixes."""
    memory = {"memory": "1Gi"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "many", "namespace": "foreign"},
        "spec": {
            "automountServiceAccountToken": False,
            "containers": [
                {
                    "name": f"container-{n}",
                    "image": "registry.example.com/train:1.4",
                    "resources": {"limits": memory | ({"nvidia.com/gpu": 1} if n < GPUS else {})},
                    "envFrom": [{"configMapRef": {"name": "settings"}}],
                }
                for n in range(containers)
            ],
        },
    }


def test_a_pod_of_many_containers_is_fixed(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    platform = _in_tree_only(platforms["training"])
    objects = [*_surroundings(platform), *_component(platform, "admission-policies")]
    made: Document | str = ""
    with applied(admin, objects):
        for _ in polls(PATIENCE_SECONDS):
            made = _made(admin, _many(CONTAINERS))
            if FIXED in str(made):
                break
    assert isinstance(made, dict), made
    fixed = made["metadata"]["annotations"][FIXED].split(",")
    assert {*fixed} > {"shared-memory", "visible-devices", "ld-preload"}
    assert all(each["volumeMounts"] and each["env"] for each in made["spec"]["containers"])
    evidence.show(
        f"The API server can afford to fix a pod of {CONTAINERS} containers by its own policy.",
        ", ".join(fixed),
    )


def _pods(made: list[Document | str]) -> list[Document | None]:
    return [each if isinstance(each, dict) else None for each in made]


def _are_alike(
    made: Document | str, expected: Document | str, denying: set[RuleName | OwnName]
) -> bool:
    """Tell whether the API server made the pod that it should, or refused it as it should."""
    if isinstance(made, str):
        return bool(denying) if DENIED in made else isinstance(expected, str)
    return made == expected and not denying & REFUSING


def _wait_until_known(
    client: ApiClient,
    sent: list[Document],
    expected: list[Document | str],
    denying: list[set[RuleName | OwnName]],
) -> None:
    """Try two pods until the API server, which reads of policies late, fixes and denies them."""
    valid = [
        (pod, made, rules)
        for pod, made, rules in zip(sent, expected, denying, strict=True)
        if isinstance(made, dict)
    ]
    right = next(pod for pod, made, rules in valid if not rules and FIXED in str(made))
    wrong = next(pod for pod, _, rules in valid if rules)
    for _ in polls(PATIENCE_SECONDS):
        if FIXED in str(_made(client, right)) and DENIED in str(_made(client, wrong)):
            return
    raise TimeoutError(f"not fixed or denied after {PATIENCE_SECONDS} s: {right}, {wrong}")
