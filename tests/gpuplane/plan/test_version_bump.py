"""The step of the version that a change asks for."""

import pytest

from gpuplane.plan.effect import Verdict
from gpuplane.plan.version_bump import Step, version_bump


@pytest.mark.parametrize(
    ("worst", "asked", "least"),
    [
        (Verdict.SAFE, Step.PATCH, "1.2.1"),
        (Verdict.ROLLING, Step.MINOR, "1.3.0"),
        (Verdict.DISRUPTIVE, Step.MAJOR, "2.0.0"),
        (Verdict.IMMUTABLE, Step.MAJOR, "2.0.0"),
        (Verdict.DANGEROUS, Step.MAJOR, "2.0.0"),
    ],
)
def test_the_worst_verdict_asks_for_a_step(worst: Verdict, asked: Step, least: str) -> None:
    bump = version_bump("1.2.0", "1.2.0", worst)
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
    bump = version_bump("1.2.0", new, Verdict.ROLLING)
    assert bump is not None
    assert (bump.declared, bump.is_enough) == (stated, stated >= Step.MINOR)


@pytest.mark.parametrize(
    ("old", "new"), [(None, "1.0.0"), ("1.0.0", None), ("1.3.0", "1.2.0"), ("1.2.0", "1.2.0-rc.1")]
)
def test_a_new_cluster_one_that_goes_and_a_roll_back_ask_for_nothing(
    old: str | None, new: str | None
) -> None:
    assert version_bump(old, new, Verdict.DANGEROUS) is None
