"""When JobSet is installed, and how."""

import pytest

from charts_py.components.jobset import JOBSET
from tests.charts_py.fixture_types import PlatformWith

BOTH = "training:\n  trainer:\n    images: {mpi: registry.example.com/training/mpi:5.0.7}\n"


@pytest.mark.parametrize(
    ("old", "new", "is_wanted"),
    [
        ("  jobSet: {}\n", "", True),
        (f"{BOTH}  jobSet: {{}}\n", "training: {jobSet: {}}\n", True),
        (f"{BOTH}  jobSet: {{}}\n", "", False),
    ],
)
def test_it_is_there_for_who_asks_for_it_and_for_trainer(
    platform_after: PlatformWith, old: str, new: str, is_wanted: bool
) -> None:
    assert JOBSET.is_wanted(platform_after("training", (old, new))) is is_wanted


def test_its_webhooks_are_served_by_two_replicas_of_the_released_image(
    platform_after: PlatformWith,
) -> None:
    _, release = JOBSET.plan(platform_after("training"))
    assert release.helm is not None
    assert release.helm.values == {
        "fullnameOverride": "jobset",
        "image": {
            "repository": "registry.k8s.io/jobset/jobset",
            "tag": "v0.12.0",
            "pullPolicy": "IfNotPresent",
        },
        "controller": {"replicas": 2, "podDisruptionBudget": {"enabled": True}},
    }
