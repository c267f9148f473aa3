"""All that rules of a platform team's own may call has the same values in the API server."""

from __future__ import annotations

from charts_py.objects.document import Document
from policies.apply import copied
from policies.mode import Mode
from policies.settings import Settings
from policies.settings_own_rule import OwnAudience, OwnRule, OwnSeverity
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import decide
from tests.e2e.in_tree.in_force import once_seen
from tests.e2e.in_tree.policies import judging
from tests.e2e.releases.objects import applied, namespace
from tests.policies.own.offered import ERRORS, EXPRESSIONS, POD

SPACE = "own"


def _settings(expressions: dict[str, str], severity: OwnSeverity) -> Settings:
    own = tuple(
        OwnRule(name, each, "False.", severity=severity, audience=OwnAudience.ALL_PODS)
        for name, each in expressions.items()
    )
    modes = {each.name: Mode.ENFORCE for each in own}
    return Settings("test", mode=Mode.OFF, modes=modes, own=own)


def _pod() -> Document:
    pod: Document = copied(POD)
    pod["metadata"]["namespace"] = SPACE
    return pod


def _warning(admin: ApiClient) -> str:
    """Return what is warned of, as soon as the policy is known."""
    return " ".join(once_seen(lambda: decide(admin, _pod()).warnings))


def test_what_own_rules_may_call_is_evaluated_as_the_webhook_evaluates_it(
    admin: ApiClient, evidence: Evidence
) -> None:
    with applied(admin, [namespace(SPACE)]):
        expressions = {f"rule-{at}": each for at, each in enumerate(EXPRESSIONS)}
        settings = _settings({**expressions, "false": "1 == 2"}, OwnSeverity.WARN)
        with applied(admin, list(judging(settings))):
            said = _warning(admin)
        assert said == "false: False."
        for at, expression in enumerate(ERRORS):
            settings = _settings({f"error-{at}": expression}, OwnSeverity.REFUSE)
            with applied(admin, list(judging(settings))):
                _wait_for_denial(admin, f'"error_{at}_refused" fails to evaluate')
    evidence.show(
        "All functions that rules of a platform team's own may call have the value in the API "
        "server that they have in the webhook, and what is an error there is one here.",
        f"{len(EXPRESSIONS)} expressions true in both, {len(ERRORS)} denied by both.",
    )


def _wait_for_denial(admin: ApiClient, reason: str) -> None:
    """Try the pod until it is denied for a reason: policies come and go late."""
    once_seen(lambda: decide(admin, _pod()).denial, lambda denial: reason in denial)
