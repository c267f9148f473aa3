from policies.admission import Effect, Outcome
from policies.finding import Failure, Finding, Severity
from policies.rule_name import Mode, RuleName

FINDING = Finding(RuleName.HOST_IPC, Severity.WARN, "", "the pod", "It is so.", "Change it.")


def test_an_outcome_is_said_with_its_effect() -> None:
    outcome = Outcome(FINDING, Mode.ENFORCE, Effect.DENIED)
    assert str(outcome) == "denied host-ipc: It is so. Change it."


def test_a_failed_rule_is_said_with_the_frames_that_it_failed_in() -> None:
    failure = Failure("KeyError", ("a.py:1 in f", "b.py:2 in g"))
    outcome = Outcome(FINDING, Mode.ENFORCE, Effect.FAILED, failure)
    assert str(outcome) == (
        "failed host-ipc: It is so. Change it. It failed at a.py:1 in f, b.py:2 in g."
    )
