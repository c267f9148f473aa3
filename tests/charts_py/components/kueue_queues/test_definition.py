"""What queues of Kueue add to the rights of a team."""

from __future__ import annotations

from charts_py.components.kueue_queues.definition import KUEUE_QUEUES


def test_members_of_a_team_see_their_jobs_wait_and_its_admins_have_one_tried_again() -> None:
    seen = {(each.group, each.resources, each.use.name) for each in KUEUE_QUEUES.access}
    assert seen == {
        ("kueue.x-k8s.io", ("localqueues", "workloads"), "READ"),
        ("kueue.x-k8s.io", ("workloads",), "ADJUST"),
        ("visibility.kueue.x-k8s.io", ("localqueues/pendingworkloads",), "READ"),
    }
