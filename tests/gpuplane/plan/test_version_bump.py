"""The step of the version that a change asks for."""

import pytest

from charts_py.objects.document import ObjectKey
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.plan import ClusterPlan
from gpuplane.plan.plan_parts import parts
from gpuplane.plan.version_bump import Step, asked_step, version_bump
from gpuplane.versions.comparison import PlacedObject, Subject

PLACED = PlacedObject("queues", ObjectKey("kueue.x-k8s.io", "ClusterQueue", "", "research"))


@pytest.mark.parametrize(
    ("worst", "asks_nobody", "asked"),
    [
        (Verdict.SAFE, False, Step.PATCH),
        (Verdict.SAFE, True, Step.PATCH),
        (Verdict.ROLLING, False, Step.MINOR),
        (Verdict.DISRUPTIVE, False, Step.MAJOR),
        (Verdict.DISRUPTIVE, True, Step.MINOR),
        (Verdict.IMMUTABLE, False, Step.MAJOR),
        (Verdict.DANGEROUS, False, Step.MAJOR),
    ],
)
def test_a_major_step_is_asked_for_where_somebody_has_to_act(
    worst: Verdict, asks_nobody: bool, asked: Step
) -> None:
    effect = Effect(worst, "spec", "It says so.", "", asks_nobody=asks_nobody)
    assert asked_step([PlannedObject(PLACED, Change.CHANGED, (effect,))], []) is asked


@pytest.mark.parametrize(
    ("worst", "asks_nobody", "why"),
    [
        (Verdict.DEFERRED, True, "deferred, which needs a patch version"),
        (Verdict.DISRUPTIVE, False, "disruptive, which needs a major version"),
        (
            Verdict.DISRUPTIVE,
            True,
            "disruptive, and nobody has to act, which needs a minor version",
        ),
    ],
)
def test_the_plan_says_where_a_minor_step_is_enough(
    worst: Verdict, asks_nobody: bool, why: str
) -> None:
    effect = Effect(worst, "spec", "It says so.", "", asks_nobody=asks_nobody)
    planned = PlannedObject(PLACED, Change.CHANGED, (effect,))
    bump = version_bump("1.0.0", "2.0.0", asked_step([planned], []))
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "2.0.0", objects=(planned,), bump=bump)
    (part,) = (each for each in parts(plan, None) if each.title == "Version")
    assert part.notes == (f"The worst verdict is {why}; 1.0.0 to 2.0.0 is a major one.",)


@pytest.mark.parametrize(
    ("asked", "least"), [(Step.PATCH, "1.2.1"), (Step.MINOR, "1.3.0"), (Step.MAJOR, "2.0.0")]
)
def test_a_step_asks_for_a_least_version(asked: Step, least: str) -> None:
    bump = version_bump("1.2.0", "1.2.0", asked)
    assert bump is not None
    assert (bump.asked, bump.least, bump.declared, bump.is_enough) == (
        asked,
        least,
        Step.NONE,
        False,
    )


@pytest.mark.parametrize(
    ("new", "stated"),
    [
        ("1.2.0", Step.NONE),
        ("1.2.1", Step.PATCH),
        ("1.3.0-rc.1", Step.MINOR),
        ("2.0.0", Step.MAJOR),
    ],
)
def test_a_suffix_counts_as_the_version_that_it_leads_to(new: str, stated: Step) -> None:
    bump = version_bump("1.2.0", new, Step.MINOR)
    assert bump is not None
    assert (bump.declared, bump.is_enough) == (stated, stated >= Step.MINOR)


@pytest.mark.parametrize(
    ("old", "new"), [(None, "1.0.0"), ("1.0.0", None), ("1.3.0", "1.2.0"), ("1.2.0", "1.2.0-rc.1")]
)
def test_a_new_cluster_one_that_goes_and_a_roll_back_ask_for_nothing(
    old: str | None, new: str | None
) -> None:
    assert version_bump(old, new, Step.MAJOR) is None
