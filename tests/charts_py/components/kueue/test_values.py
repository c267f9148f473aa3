"""How Kueue is configured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from charts_py.components.kueue.values import kueue_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


def test_it_manages_what_runs_in_namespaces_of_teams_and_nothing_else(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    text = kueue_values(platform_of(sample("queues")))["managerConfig"][
        "controllerManagerConfigYaml"
    ]
    configuration = yaml.safe_load(text)
    assert {
        field: configuration[field]
        for field in ("manageJobsWithoutQueueName", "managedJobsNamespaceSelector", "resources")
    } == {
        "manageJobsWithoutQueueName": True,
        "managedJobsNamespaceSelector": {
            "matchExpressions": [{"key": "gpuplane.io/team", "operator": "Exists"}]
        },
        "resources": {"quotaCheckStrategy": "IgnoreUndeclared"},
    }


def test_it_is_the_released_image_in_two_replicas(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    manager = kueue_values(platform_of(sample("queues")))["controllerManager"]
    assert (manager["replicas"], manager["manager"]["image"]) == (
        2,
        {
            "repository": "registry.k8s.io/kueue/kueue",
            "tag": "v0.19.2",
            "pullPolicy": "IfNotPresent",
        },
    )
