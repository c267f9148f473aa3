"""How NVIDIA GPUs are cut and shared, as ConfigMaps."""

from typing import Any

import pytest

from charts_py.components.gpu_sharing import (
    GPU_SHARING,
    DevicePluginConfig,
    MigStrategy,
    Replication,
    device_plugin_configs,
    mig_parted_config,
    mig_strategy_of,
)
from charts_py.platform.platform import Platform
from gpus.model import NVIDIA
from tests.charts_py.fixture_types import Load


def test_a_node_whose_layout_failed_is_heard_of() -> None:
    (layout_failed,) = GPU_SHARING.rules.alerts()
    assert (layout_failed.expression, layout_failed.lasting) == (
        'max by (node) (kube_node_labels{label_nvidia_com_mig_config_state="failed"}) == 1',
        "5m",
    )


@pytest.mark.parametrize(
    ("cluster", "is_alerted"), [("training", True), ("onprem", True), ("mixed", False)]
)
def test_it_is_there_where_the_mig_manager_partitions(
    example: Load, cluster: str, is_alerted: bool
) -> None:
    groups = GPU_SHARING.rules.groups(example(cluster))
    assert [group.alerts for group in groups] == [GPU_SHARING.rules.alerts()] * is_alerted


WITHOUT_MIG = """
provider: eks
region: us-east-1
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
eks: {clusterName: sample, nodeRole: sample}
pools:
  notebooks:
    instanceType: g5.12xlarge
    purpose: notebooks
    nodes: {max: 2}
    sharing: {timeSlicing: 4}
"""
AKS = """
provider: aks
region: westeurope
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
aks:
  subscription: 00000000-0000-0000-0000-000000000000
  resourceGroup: sample
  clusterName: sample
pools:
  whole: {instanceType: Standard_NC24ads_A100_v4, purpose: training, nodes: {max: 2}}
  cut:
    instanceType: Standard_NC24ads_A100_v4
    purpose: inference
    nodes: {max: 2}
    sharing: {mig: {1g.10gb: 7}, timeSlicing: 2}
  shared:
    instanceType: Standard_NC4as_T4_v3
    purpose: notebooks
    nodes: {max: 2}
    sharing: {mps: 4}
"""


def _files(platform: Platform) -> dict[str, Any]:
    strategy = mig_strategy_of(platform)
    configs = device_plugin_configs(platform.pools_of(NVIDIA), strategy)
    return {name: config.document() for name, config in configs.items()}


def _replicated(
    way: str, resource: str, replicas: int, *, strategy: str = "mixed", rename: bool = True
) -> dict[str, Any]:
    return {
        "version": "v1",
        "flags": {"migStrategy": strategy},
        "sharing": {
            way: {
                "renameByDefault": rename,
                "failRequestsGreaterThanOne": True,
                "resources": [{"name": resource, "replicas": replicas}],
            }
        },
    }


def test_time_slices_replicate_mig_instances(example: Load) -> None:
    assert _files(example("onprem")) == {
        "default": {"version": "v1", "flags": {"migStrategy": "mixed"}},
        "mig-1g.18gb-time-slicing-4": _replicated("timeSlicing", "nvidia.com/mig-1g.18gb", 4),
    }


@pytest.mark.parametrize(
    ("sharing", "name", "way"),
    [("{timeSlicing: 4}", "time-slicing-4", "timeSlicing"), ("{mps: 4}", "mps-4", "mps")],
)
def test_time_slices_and_mps_clients_replicate_whole_gpus(
    sharing: str, name: str, way: str, platform_of: Load
) -> None:
    assert _files(platform_of(WITHOUT_MIG.replace("{timeSlicing: 4}", sharing))) == {
        "default": {"version": "v1", "flags": {"migStrategy": "none"}},
        name: _replicated(way, "nvidia.com/gpu", 4, strategy="none"),
    }


def test_several_profiles_of_one_layout_are_replicated_alike(platform_of: Load) -> None:
    text = WITHOUT_MIG.replace("g5.12xlarge", "p4d.24xlarge").replace(
        "{timeSlicing: 4}", "{mig: {1g.5gb: 2, 2g.10gb: 1, 3g.20gb: 1}, timeSlicing: 2}"
    )
    platform = platform_of(text)
    name = "mig-1g.5gb-2g.10gb-3g.20gb-time-slicing-2"
    assert device_plugin_configs(platform.pools, MigStrategy.MIXED)[name] == DevicePluginConfig(
        MigStrategy.MIXED,
        Replication(
            way="timeSlicing",
            resources=("nvidia.com/mig-1g.5gb", "nvidia.com/mig-2g.10gb", "nvidia.com/mig-3g.20gb"),
            replicas=2,
            rename=True,
        ),
    )


def test_where_all_are_named_as_whole_gpus_the_plugin_renames_none(platform_of: Load) -> None:
    assert _files(platform_of(AKS)) == {
        "default": {"version": "v1", "flags": {"migStrategy": "single"}},
        "mig-1g.10gb-time-slicing-2": _replicated(
            "timeSlicing", "nvidia.com/gpu", 2, strategy="single", rename=False
        ),
        "mps-4": _replicated("mps", "nvidia.com/gpu", 4, strategy="single", rename=False),
    }


@pytest.mark.parametrize("cluster", ["training", "mixed", "onprem"])
def test_every_label_for_the_device_plugin_names_a_file(cluster: str, example: Load) -> None:
    platform = example(cluster)
    labels = [pool.facts.labels for pool in platform.pools]
    asked = {found.get("nvidia.com/device-plugin.config", "default") for found in labels}
    assert asked == set(_files(platform))


@pytest.mark.parametrize(
    ("cluster", "strategy"),
    [
        ("training", MigStrategy.MIXED),
        ("inference", MigStrategy.SINGLE),
        ("mixed", MigStrategy.SINGLE),
        ("onprem", MigStrategy.MIXED),
    ],
)
def test_instances_are_advertised_by_their_profile_but_on_gke_and_aks(
    cluster: str, strategy: MigStrategy, example: Load
) -> None:
    assert mig_strategy_of(example(cluster)) is strategy


def test_without_gpus_that_can_be_cut_the_strategy_is_none(platform_of: Load) -> None:
    assert mig_strategy_of(platform_of(WITHOUT_MIG)) is MigStrategy.NONE


@pytest.mark.parametrize(
    ("machine", "sharing", "strategy"),
    [
        ("p4d.24xlarge", "{}", MigStrategy.MIXED),
        ("p4d.24xlarge", "{timeSlicing: 4}", MigStrategy.MIXED),
        ("p4d.24xlarge", "{mps: 4}", MigStrategy.NONE),
        ("p4d.24xlarge", "{mig: {1g.5gb: 7}}", MigStrategy.MIXED),
    ],
)
def test_gpus_that_an_earlier_version_cut_are_not_given_out_whole(
    platform_of: Load, machine: str, sharing: str, strategy: MigStrategy
) -> None:
    text = WITHOUT_MIG.replace("g5.12xlarge", machine).replace("{timeSlicing: 4}", sharing)
    assert mig_strategy_of(platform_of(text)) is strategy


LABEL = "nvidia.com/mig.config"
TWO_LAYOUTS = """
provider: onprem
region: datacenter-1
kubernetes: "1.36"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
pools:
  big:
    gpu: A100-SXM-80
    gpus: 8
    cpu: 128
    memory: 1Ti
    purpose: training
    nodes: {min: 2, max: 2}
    sharing: {mig: {1g.10gb: 7}}
  small:
    gpu: A30
    gpus: 4
    cpu: 64
    memory: 512Gi
    purpose: inference
    nodes: {min: 2, max: 2}
    sharing: {mig: {1g.6gb: 4}}
"""
WHOLE_GPUS = [{"devices": "all", "mig-enabled": False}]


def test_a_layout_stands_under_the_name_that_the_pools_label_asks_for(example: Load) -> None:
    assert mig_parted_config(example("training").pools) == {
        "version": "v1",
        "mig-configs": {
            "all-disabled": WHOLE_GPUS,
            "mig-1g.10gb-x2-2g.20gb-x1-3g.40gb-x1": [
                {
                    "devices": "all",
                    "mig-enabled": True,
                    "mig-devices": {"1g.10gb": 2, "2g.20gb": 1, "3g.40gb": 1},
                }
            ],
        },
    }


def test_without_layouts_there_is_the_one_of_whole_gpus() -> None:
    assert mig_parted_config(()) == {"version": "v1", "mig-configs": {"all-disabled": WHOLE_GPUS}}


@pytest.mark.parametrize("cluster", ["training", "onprem"])
def test_every_pool_whose_gpus_can_be_cut_names_a_layout_and_no_other_does(
    cluster: str, example: Load
) -> None:
    pools = example(cluster).pools
    asked = {pool.name: pool.facts.labels.get(LABEL) for pool in pools}
    layouts = {pool.name: pool.facts.sharing.mig_config_name for pool in pools}
    assert asked == {
        pool.name: (layouts[pool.name] or "all-disabled") if pool.hardware.model.mig else None
        for pool in pools
    }
    assert {name for name in asked.values() if name} <= set(mig_parted_config(pools)["mig-configs"])


def test_a_pool_that_drops_its_layout_asks_for_whole_gpus_while_another_keeps_its_own(
    platform_of: Load,
) -> None:
    after = TWO_LAYOUTS.replace("sharing: {mig: {1g.10gb: 7}}", "sharing: {}")
    assert [_asked(platform_of(text)) for text in (TWO_LAYOUTS, after)] == [
        {"big": "mig-1g.10gb-x7", "small": "mig-1g.6gb-x4"},
        {"big": "all-disabled", "small": "mig-1g.6gb-x4"},
    ]


def _asked(platform: Platform) -> dict[str, str | None]:
    return {pool.name: pool.facts.labels.get(LABEL) for pool in platform.pools}
