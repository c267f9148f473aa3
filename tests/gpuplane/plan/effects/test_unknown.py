"""What is said where nothing is known."""

import pytest

from gpuplane.plan.effect import Effect
from gpuplane.plan.verdict import Verdict
from tests.gpuplane.plan.single_change import Fields, planned

OWN_KIND = "example.com/v1 Gizmo"


@pytest.mark.parametrize(
    ("before", "after", "field", "verdict", "what"),
    [
        (None, {"spec": 1}, "", Verdict.ROLLING, "objects of the kind Gizmo.example.com"),
        ({"spec": 1}, {"spec": 2}, "spec", Verdict.ROLLING, "this field of Gizmo.example.com"),
        ({"spec": 1}, None, "", Verdict.DISRUPTIVE, "objects of the kind Gizmo.example.com"),
    ],
)
def test_an_unknown_change_is_never_safe_and_says_that_it_is_a_guess(
    before: Fields | None, after: Fields | None, field: str, verdict: Verdict, what: str
) -> None:
    reason = (
        f"Not known: gpuplane has no facts about {what}. Read what its controller does with it."
    )
    expected = Effect(verdict, field, reason, "", is_certain=False, is_known=False)
    assert planned(OWN_KIND, before, after).effects == (expected,)


def test_an_unknown_field_of_a_known_kind_is_unknown_too() -> None:
    (effect,) = planned("v1 Service", {"other": 1}, {"other": 2}).effects
    assert not effect.is_known
