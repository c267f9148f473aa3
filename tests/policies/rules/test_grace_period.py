import pytest

from policies.rules.grace_period import RULE
from tests.policies.conftest import found, gpu_pod, message


def test_more_than_the_maximum_is_refused() -> None:
    pod = gpu_pod(terminationGracePeriodSeconds=3601)
    assert message(found(RULE, pod)) == (
        "/spec/terminationGracePeriodSeconds The pod may keep its GPUs for 3601 seconds after "
        "it is told to end. Set spec.terminationGracePeriodSeconds to at most 3600, and write "
        "checkpoints while it runs."
    )


def test_the_maximum_is_a_setting() -> None:
    pod = gpu_pod(terminationGracePeriodSeconds=3600)
    assert len(found(RULE, pod, max_grace_period_seconds=3599)) == 1


# The API server makes 1 of what is negative.
@pytest.mark.parametrize("seconds", [3600, 30, 0, -1, True, "7200", None])
def test_others_pass(seconds: object) -> None:
    assert found(RULE, gpu_pod(terminationGracePeriodSeconds=seconds)) == []


def test_a_pod_that_states_none_passes() -> None:
    assert found(RULE, gpu_pod()) == []
