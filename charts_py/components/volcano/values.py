"""The values of Volcano's chart, in which the configuration of its scheduler stands as a text."""

from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform

_ADMISSIONS = (
    "/jobs/mutate",
    "/jobs/validate",
    "/cronjobs/validate",
    "/podgroups/mutate",
    "/podgroups/validate",
    "/hypernodes/validate",
)
"""What its webhooks judge: kinds of its own, and no pods. Queues are the platform's alone, and
right as they are rendered. Of those, the webhook takes one at a time: a team's before its
namespaces', and none at all where these are to keep more and have less, as when `borrowing` becomes
`none`."""

_SCHEDULER: Document = {
    # A job takes what is free, then what jobs of lower priority in its queue have, and last what
    # other queues have borrowed: all of a job there, since the rest of one that waits for a pod is
    # of no use to anybody. `enqueue` is left out: what it lets in has its part of the team's
    # capability before it runs, so that a job that waits keeps others from their own quota.
    "actions": "allocate, preempt, gangreclaim, backfill",
    "tiers": [
        {
            "plugins": [
                {"name": "priority"},
                {"name": "gang", "enablePreemptable": False},
                {"name": "conformance"},
                # Whom to evict the first tier decides that names anybody: in a later one than
                # `gang`, this would not be asked whether they have more than their quota.
                # Without a hierarchy, no queue has more than the nodes that are there: those of a
                # pool at zero would never be asked for.
                {"name": "capacity", "enableHierarchy": True},
            ]
        },
        {"plugins": [{"name": "predicates"}, {"name": "nodeorder"}, {"name": "binpack"}]},
    ],
}
"""https://github.com/volcano-sh/volcano, pkg/scheduler/conf, pkg/scheduler/plugins/capacity and
pkg/scheduler/framework/session_plugins.go at v1.15.1. That of the chart counts by `proportion`,
which gives nothing back. With `enqueue`, its plugin `overcommit` also keeps jobs that fit on no
node of now from autoscalers (https://github.com/volcano-sh/volcano/issues/3910).
"""


def volcano_values(platform: Platform) -> dict[str, Any]:
    """Return the values of the release."""
    secrets = platform.cluster.pull_secret_names
    return {
        "basic": {
            "image_pull_policy": "IfNotPresent",
            **({"image_pull_secret": secrets[0]} if secrets else {}),
        },
        "custom": {
            "admission_replicas": 2,
            "controller_replicas": 2,
            "scheduler_replicas": 2,
            "leader_elect_enable": True,
            "enabled_admissions": ",".join(_ADMISSIONS),
            "scheduler_config_override": to_yaml(_SCHEDULER),
        },
    }
