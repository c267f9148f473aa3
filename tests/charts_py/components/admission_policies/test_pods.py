"""The policies of the rules on pods say what is found, as far as the API server repeats it."""

import pytest

from charts_py.components.admission_policies.pods import FEW, MAX_MESSAGE, pods_policies
from charts_py.platform.policy_settings import policy_settings
from policies.custom.expressions import Expressions
from tests.charts_py.fixture_types import Load

LONG = "x" * 598


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (["one.", "two."], "one. two."),
        ([f"{n}{LONG}." for n in range(6)], " ".join(f"{n}{LONG}." for n in range(6))),
        (
            [f"{n}{LONG}." for n in range(9)],
            " ".join(f"{n}{LONG}." for n in range(FEW)) + " And 3 more: gpuplane admit has them.",
        ),
    ],
    ids=["few", "as long as may be", "too long"],
)
def test_whole_findings_are_told_as_far_as_they_fit(
    example: Load, found: list[str], said: str
) -> None:
    (policy, *_) = pods_policies(policy_settings(example("onprem")))
    expressions = Expressions(("variables",))
    message = expressions.compile(policy.validations[0]["messageExpression"])
    assert expressions.value(message, {"variables": {"found": found}}) == said
    assert len(" ".join(found)) <= MAX_MESSAGE or len(found) > FEW
