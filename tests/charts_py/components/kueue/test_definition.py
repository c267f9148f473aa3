from pathlib import Path
from typing import Any

import pytest
import yaml

from charts_py.components.kueue.definition import KUEUE, NAMESPACE_OF_KUEUE, kueue_values
from charts_py.components.kueue.queues import KUEUE_QUEUES
from charts_py.components.namespaces import NAMESPACES
from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith, Sample


def test_it_stands_in_a_component_of_its_own(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    platform = platform_after("queues")
    of_kueue, of_others = (
        [document["metadata"]["name"] for document in documents_of_component(component)]
        for definition in (NAMESPACE_OF_KUEUE, NAMESPACES)
        for component in definition.plan(platform)
    )
    assert (of_kueue, "kueue-system" in of_others) == (["kueue-system"], False)


def test_it_is_removed_after_kueue_and_that_after_the_queues() -> None:
    assert NAMESPACE_OF_KUEUE.wave < KUEUE.wave < KUEUE_QUEUES.wave


def test_it_is_scraped_over_tls_with_a_token(platform_after: PlatformWith) -> None:
    platform = platform_after("queues")
    (target,) = KUEUE.scraped(platform)
    assert (target.port, target.is_authorized) == ("https", True)
    (group,) = KUEUE.rules.groups(platform)
    assert (group.namespace, group.alerts) == (target.namespace, KUEUE.rules.alerts())


def test_where_google_collects_which_shows_no_token_nothing_is_scraped_or_alerted_on(
    example: Load,
) -> None:
    platform = example("inference")
    assert not platform.monitoring.has_operator
    assert (KUEUE.scraped(platform), KUEUE.rules.groups(platform)) == ((), ())


WITH_QUEUES = ("teams:\n", "queues: {}\nteams:\n")
UNCOUNTED = (
    "cpu",
    "memory",
    "ephemeral-storage",
    "hugepages-",
    "vpc.amazonaws.com/efa",
    "vpc.amazonaws.com/pod-eni",
)
GPU_CLAIMS = {"name": "nvidia.com/gpu", "deviceClassNames": ["gpu.nvidia.com"]}
RDMA = "    interconnect: infiniband\n    rdmaResource: rdma/hca\n"
CHANNEL_CLAIMS = {
    "name": "gpuplane.io/nvlink-channel",
    "deviceClassNames": ["compute-domain-default-channel.nvidia.com"],
}
BY_THEIR_CLASS = {
    "input": "deviceclass.resource.kubernetes.io/gpu.nvidia.com",
    "strategy": "Replace",
    "outputs": {"nvidia.com/gpu": 1},
}
WITHOUT_CHANNELS = ("teams:\n", "addons: {computeDomains: false}\nteams:\n")


def _configuration(platform: Platform) -> dict[str, Any]:
    text = kueue_values(platform)["managerConfig"]["controllerManagerConfigYaml"]
    configuration: dict[str, Any] = yaml.safe_load(text)
    return configuration


def test_it_manages_what_runs_in_namespaces_of_teams_and_nothing_else(
    platform_after: PlatformWith,
) -> None:
    configuration = _configuration(platform_after("queues"))
    assert {
        field: configuration[field]
        for field in ("manageJobsWithoutQueueName", "managedJobsNamespaceSelector")
    } == {
        "manageJobsWithoutQueueName": True,
        "managedJobsNamespaceSelector": {
            "matchExpressions": [{"key": "gpuplane.io/team", "operator": "Exists"}]
        },
    }


def test_a_job_gives_its_gpus_back_five_times_or_as_often_as_the_cluster_says(
    platform_of: Load, sample: Sample
) -> None:
    texts = sample("queues"), sample("queues", ("queues: {}\n", "queues: {retries: 100}\n"))
    waits = [_configuration(platform_of(text))["waitForPodsReady"] for text in texts]
    assert [each["requeuingStrategy"]["backoffLimitCount"] for each in waits] == [5, 100]


def test_a_job_has_half_an_hour_to_get_all_its_pods_ready_or_as_long_as_the_cluster_gives_it(
    platform_of: Load, sample: Sample
) -> None:
    longer = "queues: {readyMinutes: 90, recoveryMinutes: 45}\n"
    texts = sample("queues"), sample("queues", ("queues: {}\n", longer))
    assert [_ready_within(platform_of(text)) for text in texts] == [("30m", "30m"), ("90m", "45m")]


def _ready_within(platform: Platform) -> tuple[str, str]:
    text = kueue_values(platform)["managerConfig"]["controllerManagerConfigYaml"]
    waits = yaml.safe_load(text)["waitForPodsReady"]
    return waits["timeout"], waits["recoveryTimeout"]


def test_it_manages_every_kind_of_job_by_the_name_that_it_has_for_it(
    platform_after: PlatformWith,
) -> None:
    text = kueue_values(platform_after("queues"))["managerConfig"]["controllerManagerConfigYaml"]
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


@pytest.mark.parametrize(
    ("name", "replaced", "expected"),
    [
        (
            "topograph",
            (),
            {
                "excludeResourcePrefixes": [
                    *UNCOUNTED,
                    "rdma/hca_shared_devices_a",
                    "smarter-devices/fuse",
                ]
            },
        ),
        ("nvl72", (WITH_QUEUES, WITHOUT_CHANNELS), {"excludeResourcePrefixes": [*UNCOUNTED]}),
        (
            "gke-queued",
            (),
            {"excludeResourcePrefixes": [*UNCOUNTED, "networking.gke.io.networks/"]},
        ),
        (
            "nvl72",
            (WITH_QUEUES,),
            {"excludeResourcePrefixes": [*UNCOUNTED], "deviceClassMappings": [CHANNEL_CLAIMS]},
        ),
        (
            "dra",
            (WITH_QUEUES,),
            {
                "excludeResourcePrefixes": [*UNCOUNTED],
                "deviceClassMappings": [GPU_CLAIMS],
                "transformations": [BY_THEIR_CLASS],
            },
        ),
    ],
)
def test_it_counts_gpus_whoever_gives_them_out_and_leaves_uncounted_what_comes_with_them(
    platform_after: PlatformWith,
    name: str,
    replaced: tuple[tuple[str, str], ...],
    expected: dict[str, Any],
) -> None:
    assert _configuration(platform_after(name, *replaced))["resources"] == expected


def test_a_manager_counts_as_its_workers_do(sample: Sample, tmp_path: Path) -> None:
    by_claim = ("    topology: {levels: [example.com/rack]}\n", "    allocator: dra\n" + RDMA)
    worker = sample(
        "multikueue-worker",
        ('kubernetes: "1.36"', 'kubernetes: "1.37"'),
        ("queues: {}", "queues: {uncounted: [smarter-devices/fuse]}"),
        by_claim,
    )
    (tmp_path / "multikueue-worker.yaml").write_text(worker, encoding="utf-8")
    manager = tmp_path / "multikueue-manager.yaml"
    manager.write_text(sample("multikueue-manager"), encoding="utf-8")
    assert _configuration(load_platform(manager, None))["resources"] == {
        "excludeResourcePrefixes": [*UNCOUNTED, "rdma/hca", "smarter-devices/fuse"],
        "deviceClassMappings": [GPU_CLAIMS],
        "transformations": [BY_THEIR_CLASS],
    }
