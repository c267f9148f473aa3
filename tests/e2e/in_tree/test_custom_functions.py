"""What custom rules may call has the same values in the API server and in `gpuplane admit`."""

from charts_py.objects.document import Document
from policies.custom_rule import CustomAudience, CustomRule, CustomSeverity
from policies.operation import copied
from policies.rule_name import Mode
from policies.settings import Settings
from tests.e2e.control_plane.api_client import ApiClient
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.in_tree.decision import decide
from tests.e2e.in_tree.policies import custom_rules
from tests.e2e.polling import once_seen
from tests.e2e.releases.objects import applied, namespace
from tests.policies.custom.offered import ERRORS, EXPRESSIONS, POD

SPACE = "own"


def _settings(expressions: dict[str, str], severity: CustomSeverity) -> Settings:
    own = tuple(
        CustomRule(name, each, "False.", severity=severity, audience=CustomAudience.ALL_PODS)
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


def test_what_custom_rules_may_call_is_evaluated_as_admit_evaluates_it(
    admin: ApiClient, evidence: Evidence
) -> None:
    with applied(admin, [namespace(SPACE)]):
        expressions = {f"rule-{at}": each for at, each in enumerate(EXPRESSIONS)}
        settings = _settings({**expressions, "false": "1 == 2"}, CustomSeverity.WARN)
        with applied(admin, list(custom_rules(settings))):
            said = _warning(admin)
        assert said == "false: False."
        for at, expression in enumerate(ERRORS):
            settings = _settings({f"error-{at}": expression}, CustomSeverity.REFUSE)
            with applied(admin, list(custom_rules(settings))):
                _wait_for_denial(admin, f"(({expression}) ? ")
    evidence.show(
        "All functions that custom rules may call have the value in the API server that they have "
        "in gpuplane admit, and what is an error there is one here.",
        f"{len(EXPRESSIONS)} expressions true in both, {len(ERRORS)} denied by both.",
    )


def _wait_for_denial(admin: ApiClient, reason: str) -> None:
    """Try the pod until it is denied for a reason: policies come and go late."""
    once_seen(lambda: decide(admin, _pod()).denial, lambda denial: reason in denial)
