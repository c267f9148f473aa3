"""How Kueue is configured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from charts_py.components.kueue.values import kueue_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform


WITH_QUEUES = ("teams:\n", "queues: {}\nteams:\n")
WITHOUT_CHANNELS = ("teams:\n", "addons: {computeDomains: false}\nteams:\n")


def _configuration(platform: Platform) -> dict[str, Any]:
    text = kueue_values(platform)["managerConfig"]["controllerManagerConfigYaml"]
    configuration: dict[str, Any] = yaml.safe_load(text)
    return configuration


def test_it_manages_what_runs_in_namespaces_of_teams_and_nothing_else(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    configuration = _configuration(platform_of(sample("queues")))
    assert {
        field: configuration[field]
        for field in ("manageJobsWithoutQueueName", "managedJobsNamespaceSelector")
    } == {
        "manageJobsWithoutQueueName": True,
        "managedJobsNamespaceSelector": {
            "matchExpressions": [{"key": "gpuplane.io/team", "operator": "Exists"}]
        },
    }


@pytest.mark.parametrize(
    ("replaced", "expected"),
    [
        (
            (WITH_QUEUES,),
            [
                {
                    "name": "gpuplane.io/nvlink-channel",
                    "deviceClassNames": ["compute-domain-default-channel.nvidia.com"],
                }
            ],
        ),
        ((WITH_QUEUES, WITHOUT_CHANNELS), None),
    ],
)
def test_it_knows_the_claims_by_which_pods_of_a_rack_are_joined(
    platform_of: Callable[[str], Platform],
    sample: Callable[..., str],
    replaced: tuple[tuple[str, str], ...],
    expected: list[dict[str, Any]] | None,
) -> None:
    configuration = _configuration(platform_of(sample("nvl72", *replaced)))
    assert configuration["resources"].get("deviceClassMappings") == expected


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


def test_a_job_has_half_an_hour_to_get_all_its_pods_ready_or_as_long_as_the_cluster_gives_it(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    longer = "queues: {readyMinutes: 90, recoveryMinutes: 45}\n"
    texts = sample("queues"), sample("queues", ("queues: {}\n", longer))
    assert [_ready_within(platform_of(text)) for text in texts] == [("30m", "30m"), ("90m", "45m")]


def _ready_within(platform: Platform) -> tuple[str, str]:
    text = kueue_values(platform)["managerConfig"]["controllerManagerConfigYaml"]
    waits = yaml.safe_load(text)["waitForPodsReady"]
    return waits["timeout"], waits["recoveryTimeout"]


def test_it_manages_every_kind_of_job_by_the_name_that_it_has_for_it(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    text = kueue_values(platform_of(sample("queues")))["managerConfig"][
        "controllerManagerConfigYaml"
    ]
    assert yaml.safe_load(text)["integrations"]["frameworks"] == [
        "batch/job",
        "jobset.x-k8s.io/jobset",
        "kubeflow.org/jaxjob",
        "kubeflow.org/mpijob",
        "kubeflow.org/paddlejob",
        "kubeflow.org/pytorchjob",
        "kubeflow.org/tfjob",
        "kubeflow.org/xgboostjob",
        "leaderworkerset.x-k8s.io/leaderworkerset",
        "ray.io/raycluster",
        "ray.io/rayjob",
        "ray.io/rayservice",
        "trainer.kubeflow.org/trainjob",
        "deployment",
        "pod",
        "statefulset",
    ]


def test_it_counts_gpus_and_leaves_uncounted_what_comes_with_them_and_what_the_cluster_states(
    platform_of: Callable[[str], Platform], sample: Callable[..., str]
) -> None:
    assert _configuration(platform_of(sample("topograph")))["resources"] == {
        "excludeResourcePrefixes": [
            "cpu",
            "memory",
            "ephemeral-storage",
            "hugepages-",
            "vpc.amazonaws.com/efa",
            "rdma/hca_shared_devices_a",
            "smarter-devices/fuse",
        ]
    }
