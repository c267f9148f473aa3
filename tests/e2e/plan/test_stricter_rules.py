"""A rule that goes from warn to enforce does at the API server what the plan's sentence says."""

from dataclasses import replace

from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from gpuplane.plan.stricter_rules import enforced_rules
from policies.rule_name import Mode, RuleName
from policies.settings import Settings
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import decide
from tests.e2e.in_tree.policies import FOREIGN, judging, policies_applied
from tests.e2e.polling import once_seen
from tests.e2e.webhook.registration import asking

RULE = RuleName.IMAGE_TAG


def _with_mode(platform: Platform, mode: Mode) -> Platform:
    rules = {**platform.cluster.policies.rules, RULE: mode}
    policies = platform.cluster.policies.model_copy(update={"rules": rules})
    return replace(platform, cluster=platform.cluster.model_copy(update={"policies": policies}))


def _untagged(settings: Settings) -> Document:
    """Return a pod whose image has no tag."""
    resource = settings.pools[0].resources[0].name
    pod = asking(resource, namespace=FOREIGN)
    pod["spec"]["containers"][0]["image"] = "registry.example.com/probe"
    return pod


def test_pods_stay_under_a_rule_that_refuses_from_now_on_and_new_ones_are_refused(
    admin: ApiClient, platforms: dict[str, Platform], evidence: Evidence
) -> None:
    warning = _with_mode(platforms["training"], Mode.WARN)
    before = policy_settings(warning)
    after = policy_settings(_with_mode(warning, Mode.ENFORCE))
    (clause,) = enforced_rules(before, after, "training")
    assert clause.text == f"training refuses pods by the rule {RULE} from now on"
    pod = _untagged(before)
    with policies_applied(admin, warning):
        created = admin.create(pod)
        for each in judging(after):
            admin.apply(each)
        again = {**pod, "metadata": {**pod["metadata"], "name": "again"}}
        denied = once_seen(lambda: decide(admin, again), lambda found: bool(found.denial))
        assert denied.denial.startswith(f"{RULE}: ")
        left = admin.get("v1", "Pod", "probe", FOREIGN)
        assert left["metadata"]["uid"] == created.document["metadata"]["uid"]
    evidence.show(
        "Where the plan says that a rule refuses pods from now on, the API server takes a pod that "
        "the rule warns of, and keeps it; once the rule is enforced, it refuses another.",
        f"{created.status}, then `{denied.denial}`",
    )
