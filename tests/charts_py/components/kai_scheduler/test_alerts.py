"""The alerts are about what KAI's operator installs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from charts_py.components.kai_scheduler.definition import KAI_SCHEDULER

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

LEFT_TO_THEMSELVES = {
    "kai-operator",
    # Takes changes of queues, which wait meanwhile.
    "queue-controller",
    # Of a Job.
    "kai-scheduler-crd-manager",
    # Not switched on.
    "node-scale-adjuster",
    "numa-placement-exporter",
}


def test_each_part_that_gpu_pods_need_is_watched(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    rendered: Callable[[Component], tuple[Document, ...]],
) -> None:
    (component,) = KAI_SCHEDULER.plan(platform_of(sample("kai")))
    objects = rendered(component)
    (shard,) = (each for each in objects if each["kind"] == "SchedulingShard")
    # The operator names a Deployment as the account that the chart lets do its part, but that of
    # the scheduler, of which each shard has one.
    accounts = {
        subject["name"]
        for each in objects
        if each["kind"] == "ClusterRoleBinding"
        for subject in each["subjects"]
    }
    watched = [
        re.findall(r'deployment="([^"]+)"', alert.expression) for alert in KAI_SCHEDULER.alerts()
    ]
    assert sorted(name for names in watched for name in names) == sorted(
        f"kai-scheduler-{shard['metadata']['name']}" if account == "scheduler" else account
        for account in accounts - LEFT_TO_THEMSELVES
    )
