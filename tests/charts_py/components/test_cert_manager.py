from collections.abc import Mapping

from charts_py.components.cert_manager import CERT_MANAGER
from charts_py.components.webhook.definition import WEBHOOK
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import DocumentsOf, Load


def test_it_is_there_before_the_webhook_whose_certificate_it_issues(
    platforms: Mapping[str, Platform], example: Load
) -> None:
    platform = platforms["sample-topograph"]
    (issuer,), (webhook,) = CERT_MANAGER.plan(platform), WEBHOOK.plan(platform)
    assert issuer.wave < webhook.wave
    assert list(CERT_MANAGER.plan(example("training"))) == []


def test_it_stays_in_its_namespace_and_gives_no_team_a_right(
    platforms: Mapping[str, Platform], rendered: DocumentsOf
) -> None:
    (release,) = CERT_MANAGER.plan(platforms["sample-topograph"])
    objects = rendered(release)
    roles = [each for each in objects if each["kind"] == "Role"]
    assert {each["metadata"]["namespace"] for each in roles} == {"cert-manager"}
    assert not [
        label
        for each in objects
        for label in each["metadata"].get("labels", {})
        if "aggregate" in label
    ]
    policies = [each["spec"] for each in objects if each["kind"] == "NetworkPolicy"]
    assert len([each for each in policies if each["policyTypes"] == ["Ingress"]]) == 3
    leading_out = [each["egress"] for each in policies if each["policyTypes"] == ["Egress"]]
    assert leading_out == [[{}]] * 3


def test_a_drain_leaves_one_of_each_part(
    platforms: Mapping[str, Platform], rendered: DocumentsOf
) -> None:
    (release,) = CERT_MANAGER.plan(platforms["sample-topograph"])
    budgets = [each for each in rendered(release) if each["kind"] == "PodDisruptionBudget"]
    assert {each["metadata"]["name"]: each["spec"]["minAvailable"] for each in budgets} == {
        each["metadata"]["name"]: 1 for each in rendered(release) if each["kind"] == "Deployment"
    }
