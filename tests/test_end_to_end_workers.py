"""Which end-to-end tests run side by side."""

from __future__ import annotations

import pytest

from tests.e2e.selection import shared_control_plane
from tests.e2e.shared_control_planes import SharedControlPlanes


@pytest.mark.parametrize(
    ("file", "shared"),
    [
        ("argo_cd/test_fleet.py", "Argo CD"),
        ("claims/test_quota.py", "all others"),
        ("webhook/test_load.py", "all others"),
    ],
)
def test_tests_of_argo_cd_have_control_planes_of_their_own(file: str, shared: str) -> None:
    assert shared_control_plane(file) == shared


def test_a_test_is_handed_out_by_the_control_plane_of_its_file(pytestconfig: pytest.Config) -> None:
    pytestconfig.option.tx = ["2*popen"]
    scheduling = SharedControlPlanes(pytestconfig)
    ids = ("tests/e2e/argo_cd/test_fleet.py::test_a[x/y]", "tests/e2e/claims/test_quota.py::test_b")
    assert [scheduling._split_scope(each) for each in ids] == ["Argo CD", "all others"]  # noqa: SLF001 # what the scheduler asks for
