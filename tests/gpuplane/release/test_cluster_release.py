"""Which version is cut, and by how much it is raised."""

import pytest

from gpuplane.plan.version_bump import previous_release, released_versions
from gpuplane.release.cluster_release import release_of


@pytest.mark.parametrize(
    ("stated", "previous", "needed", "version"),
    [
        ("1.3.0-rc.1", "1.2.0", "1.2.1", "1.3.0"),
        ("1.3.0-rc.1", "1.2.0", "2.0.0", "2.0.0"),
        ("1.2.0", "1.2.0", "1.3.0", "1.3.0"),
        ("1.3.0", "1.2.0", "1.2.1", "1.3.0"),
        ("0.1.0-rc.1", None, None, "0.1.0"),
    ],
)
def test_a_version_keeps_what_it_promises_and_is_raised_to_what_is_needed(
    stated: str, previous: str | None, needed: str | None, version: str
) -> None:
    assert release_of(stated, previous, needed) == version


@pytest.mark.parametrize(
    ("stated", "previous"),
    [("1.2.0", "1.2.0"), ("1.10.0-rc.1", "1.9.0"), ("1.9.0-rc.1", "1.2.0"), ("1.0.0", None)],
)
def test_the_version_before_is_the_latest_released_one(stated: str, previous: str | None) -> None:
    released = released_versions(["1.2.0", "1.9.0", "1.10.0", "1.9.5-rc.1", "argocd"])
    assert previous_release(stated, released) == previous
