"""Which end-to-end tests run side by side."""

from __future__ import annotations

import re

import pytest

from tests.e2e.folders import E2E
from tests.e2e.selection import LONGEST_FIRST, SharedControlPlanes, is_more, shared_control_plane


@pytest.mark.parametrize(
    ("file", "shared"),
    [
        ("argo_cd/test_fleet.py", "argo_cd/test_fleet.py"),
        ("argo_cd/test_other_owners.py", "onprem"),
        ("releases/test_apply.py", "releases"),
        ("claims/test_quota.py", "all others"),
        ("webhook/test_load.py", "all others"),
    ],
)
def test_a_file_is_handed_out_with_those_that_share_its_control_planes(
    file: str, shared: str
) -> None:
    assert shared_control_plane(file) == shared


def test_files_on_one_cluster_of_argo_cd_are_handed_out_together() -> None:
    shared: dict[str, set[str]] = {}
    for file in sorted((E2E / "argo_cd").glob("test_*.py")):
        if is_more(f"argo_cd/{file.name}"):
            continue
        named = re.findall(r'"cluster", \["(\w+)"\], indirect', file.read_text(encoding="utf-8"))
        for cluster in named or [file.name]:
            shared.setdefault(cluster, set()).add(shared_control_plane(f"argo_cd/{file.name}"))
    assert [names for names in shared.values() if len(names) > 1] == []
    assert len(set().union(*shared.values())) == len(shared)


def test_a_test_is_handed_out_by_the_control_plane_of_its_file(pytestconfig: pytest.Config) -> None:
    pytestconfig.option.tx = ["2*popen"]
    scheduling = SharedControlPlanes(pytestconfig)
    ids = ("tests/e2e/argo_cd/test_fleet.py::test_a[x/y]", "tests/e2e/claims/test_quota.py::test_b")
    scopes = [scheduling._split_scope(each) for each in ids]  # noqa: SLF001 # what the scheduler asks for
    assert scopes == ["argo_cd/test_fleet.py", "all others"]


def test_what_takes_longest_is_handed_out_first(pytestconfig: pytest.Config) -> None:
    pytestconfig.option.tx = ["2*popen"]
    scheduling = SharedControlPlanes(pytestconfig)
    scheduling.workqueue.update({scope: {} for scope in ("releases", *reversed(LONGEST_FIRST))})
    worker = Worker()
    while scheduling.workqueue:
        scheduling.registered_collections[worker] = []
        scheduling._assign_work_unit(worker)  # noqa: SLF001 # what the scheduler calls
    assert list(scheduling.assigned_work[worker]) == [*LONGEST_FIRST, "releases"]


def test_what_takes_longest_is_there() -> None:
    files = (file.relative_to(E2E).as_posix() for file in E2E.rglob("test_*.py"))
    assert set(LONGEST_FIRST) <= set(map(shared_control_plane, files))


class Worker:
    """One that is told which tests to run."""

    def send_runtest_some(self, indices: list[int]) -> None:
        assert indices == []
