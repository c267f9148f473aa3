"""Webhook, `gpuplane admit`, API server and backstop decide alike, about thousands of pods."""

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import yaml

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from policies.admission import Review, today
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.operation import copied
from policies.rule_name import RuleName
from policies.rules import RULES
from tests.binaries.control_plane import PinnedKubernetes
from tests.binaries.machine import GPUPLANE
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import CLUSTERS, E2E, REPOSITORY
from tests.e2e.in_tree.agreement import EXPLANATIONS, OTHERS, Decided, Way, differences, faults
from tests.e2e.in_tree.agreement_page import PAGE, acting, acting_in_vain, explained, page
from tests.e2e.in_tree.decision import decide_all
from tests.e2e.in_tree.policies import policies_applied
from tests.e2e.in_tree.sent_pods import SentPod, Source, sent_pods
from tests.e2e.in_tree.ways import Ways
from tests.e2e.webhook.registration import ServeWebhook

GENERATED = 900
"""On each cluster."""
LEAST_PODS = 2000
LEAST_OF_A_RULE = 20
UNFIXED = 200
"""That are generated to be sent as nobody has fixed them."""
NOT_VALID = {RuleName.GPU_COUNT}
"""Rules that act on pods alone which the API server refuses by itself."""
OF_NO_CLUSTER = {RuleName.QUEUE_SCHEDULER}
"""It acts where Volcano has the queues; tests/policies/in_cel hold it against the rule."""
RARE = load_platform(E2E / "in_tree" / "rare.yaml", CLUSTERS / FLEET_FILE)


@pytest.fixture(scope="module")
def decided(
    admin: ApiClient,
    platforms: dict[str, Platform],
    serve_webhook: ServeWebhook,
    tmp_path_factory: pytest.TempPathFactory,
) -> Mapping[str, Sequence[Decided]]:
    """What is decided about the pods of each cluster."""
    chosen = {"training": platforms["training"], RARE.name: RARE}
    found = {}
    for seed, (name, platform) in enumerate(chosen.items(), start=2026):
        ways = Ways(admin, serve_webhook, tmp_path_factory.mktemp(name))
        pods = sent_pods(policy_settings(platform), GENERATED, seed)
        found[name] = ways.decide(platform, [*pods])
    return found


@pytest.fixture(scope="module")
def pods(decided: Mapping[str, Sequence[Decided]]) -> Sequence[Decided]:
    """The same of all clusters."""
    return [each for those in decided.values() for each in those]


def test_no_pod_is_decided_otherwise_without_a_reason(
    pods: Sequence[Decided], evidence: Evidence
) -> None:
    assert _faults(pods) == []
    assert len(pods) >= LEAST_PODS
    evidence.show(
        "The webhook over HTTPS, `gpuplane admit` and the API server alone decide the same about "
        "the same pods in the same words, and make the same pods of them.",
        f"{len(pods)} pods, of which {len(pods) - len(_of_difference(pods))} without any "
        "difference, by webhook and API server together as well; [why the others](agreement.md)",
    )


def _faults(pods: Sequence[Decided]) -> Sequence[tuple[str, SentPod]]:
    return [(fault, each.sent) for each in pods for way in OTHERS for fault in faults(each, way)]


def _of_difference(pods: Sequence[Decided]) -> Sequence[Decided]:
    return [each for each in pods if any(differences(each, way) for way in OTHERS)]


def test_every_rule_acts_on_enough_pods(pods: Sequence[Decided]) -> None:
    found, in_vain = acting(pods), acting_in_vain(pods)
    few = {rule.name for rule in RULES if found[rule.name] < LEAST_OF_A_RULE}
    assert few - OF_NO_CLUSTER == {rule for rule in NOT_VALID if in_vain[rule] >= LEAST_OF_A_RULE}


def test_every_explanation_is_needed(pods: Sequence[Decided]) -> None:
    assert EXPLANATIONS.keys() - {name for name, _ in explained(pods)} == set()


def test_nothing_is_fixed_twice(pods: Sequence[Decided]) -> None:
    twice = [(each.by[Way.API_SERVER], each.again) for each in pods if each.again is not None]
    assert [(once, again) for once, again in twice if once.pod != again.pod] == []


def test_the_command_prints_what_its_function_returns(
    decided: Mapping[str, Sequence[Decided]], platforms: dict[str, Platform], tmp_path: Path
) -> None:
    (name, pods), *_ = decided.items()
    of_files = [each.sent for each in pods if each.sent.source in (Source.PAGES, Source.EXAMPLES)]
    engine, review = Engine(policy_settings(platforms[name])), Review("", today())
    some = [admit_manifest(engine, copied(each.document), review) for each in of_files]
    file = tmp_path / "pods.json"
    file.write_text("\n---\n".join(json.dumps(each.document) for each in of_files))
    admit: list[str | Path] = [GPUPLANE, "-C", REPOSITORY, "admit", "--skip-denied"]
    command = [*admit, file, "--cluster", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    allowed = [each.document for each in some if each.allowed]
    assert [*yaml.safe_load_all(done.stdout)] == allowed
    findings = [str(outcome) for each in some for outcome in each.outcomes]
    told = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]
    assert [line.partition(": Pod ")[2].partition(": ")[2] for line in told] == findings


def test_what_nobody_has_fixed_is_judged_as_validation_judges_it(
    admin: ApiClient, platforms: dict[str, Platform]
) -> None:
    settings = policy_settings(platforms["training"])
    sent = [*sent_pods(settings, UNFIXED, 2029)]
    with policies_applied(admin, platforms["training"]):
        decisions = decide_all(admin, [each.document for each in sent])
    engine = Engine(settings)
    judged = [
        engine.admit(copied(each.document), Review(each.namespace, today(), fixes=False))
        for each in sent
    ]
    found = [
        (fault, each)
        for each, judgment, decision in zip(sent, judged, decisions, strict=True)
        for fault in faults(
            Decided(each, judgment, decision, {Way.API_SERVER: decision}), Way.API_SERVER
        )
    ]
    assert found == []


def test_the_page_names_every_cluster_and_rule(
    decided: Mapping[str, Sequence[Decided]], pods: Sequence[Decided], kubernetes: PinnedKubernetes
) -> None:
    text = page(decided, kubernetes.version, LEAST_OF_A_RULE)
    assert [name for name in (*decided, *RuleName) if name not in text] == []
    is_whole = any(each.sent.source is Source.PUBLISHED for each in pods)
    if is_whole and not _faults(pods):
        PAGE.write_text(text, encoding="utf-8")
