"""What the cluster file says of pools, namespaces and quotas, as series that are constants."""

from collections.abc import Callable

import pytest

from charts_py.components.gpu_usage.facts import platform_facts
from charts_py.metrics.series import recorded_series
from tests.charts_py.fixture_types import Load


@pytest.fixture(scope="module")
def facts_of(example: Load) -> Callable[..., dict[tuple[str, ...], str]]:
    """Return the function that returns the values of a fact, by the values of its labels."""

    def read(cluster: str, series: str) -> dict[tuple[str, ...], str]:
        labels = recorded_series(series).labels
        rules = [rule for rule in platform_facts(example(cluster)) if rule.record == series]
        assert [rule for rule in rules if not {*rule.labels} <= {*labels}] == []
        return {
            tuple(rule.labels.get(label, "") for label in labels): rule.expression for rule in rules
        }

    return read


@pytest.mark.parametrize(
    ("cluster", "series", "facts"),
    [
        (
            "onprem",
            "gpuplane_pool_info",
            {
                ("h200", "H200-SXM", "nvidia", "training", "reserved", ""): "vector(1)",
                ("h200-dev", "H200-SXM", "nvidia", "notebooks", "on-demand", ""): "vector(1)",
                ("l40s", "L40S", "nvidia", "inference", "on-demand", ""): "vector(1)",
                ("mi300x", "MI300X", "amd", "training", "on-demand", ""): "vector(1)",
            },
        ),
        (
            "onprem",
            "gpuplane_pool_gpus_per_node",
            {
                ("h200", "device-plugin", "none"): "vector(8)",
                ("h200-dev", "device-plugin", "mig-time-slicing"): "vector(8)",
                ("l40s", "device-plugin", "none"): "vector(4)",
                ("mi300x", "device-plugin", "none"): "vector(8)",
            },
        ),
        (
            "onprem",
            "gpuplane_pool_gpus_per_allocation",
            {
                ("h200", "nvidia_com_gpu"): "vector(1)",
                ("h200-dev", "nvidia_com_mig_1g_18gb_shared"): "vector(1/28)",
                ("l40s", "nvidia_com_gpu"): "vector(1)",
                ("mi300x", "amd_com_gpu"): "vector(1)",
            },
        ),
        (
            "onprem",
            "gpuplane_pool_gpus_per_instance",
            {
                ("h200", ""): "vector(1)",
                ("h200-dev", ""): "vector(1)",
                ("h200-dev", "1g.18gb"): "vector(1/7)",
                ("h200-dev", "1g.18gb+me"): "vector(1/7)",
                ("h200-dev", "1g.35gb"): "vector(1/7)",
                ("h200-dev", "2g.35gb"): "vector(2/7)",
                ("h200-dev", "3g.71gb"): "vector(3/7)",
                ("h200-dev", "4g.71gb"): "vector(4/7)",
                ("h200-dev", "7g.141gb"): "vector(1)",
                ("l40s", ""): "vector(1)",
                ("mi300x", ""): "vector(1)",
            },
        ),
        (
            "onprem",
            "gpuplane_pool_least_request",
            {
                ("h200", "cpu"): "vector(0.5)",
                ("h200", "memory"): "vector(4294967296)",
                # 224 pods share 192 CPUs.
                ("h200-dev", "cpu"): "vector(0.5)",
                ("h200-dev", "memory"): "vector(4294967296)",
                ("l40s", "cpu"): "vector(0.5)",
                ("l40s", "memory"): "vector(4294967296)",
                ("mi300x", "cpu"): "vector(0.5)",
                ("mi300x", "memory"): "vector(4294967296)",
            },
        ),
        (
            "training",
            "gpuplane_namespace_info",
            {
                ("recommendations", "recommendations", "4712", "recommendations", "inference"): (
                    "vector(1)"
                ),
                ("research-notebooks", "research", "4711", "foundation-models", "notebooks"): (
                    "vector(1)"
                ),
                ("research-training", "research", "4711", "foundation-models", "training"): (
                    "vector(1)"
                ),
            },
        ),
        (
            "training",
            "gpuplane_namespace_quota",
            {
                ("recommendations", "a100-mixed", "nvidia_com_mig_1g_10gb"): "vector(64)",
                ("recommendations", "a100-mixed", "nvidia_com_mig_2g_20gb"): "vector(32)",
                ("recommendations", "a100-mixed", "nvidia_com_mig_3g_40gb"): "vector(32)",
                ("recommendations", "h100-spot", "nvidia_com_gpu"): "vector(32)",
                ("research-notebooks", "a10g-notebooks", "nvidia_com_gpu_shared"): "vector(64)",
                ("research-training", "h100", "nvidia_com_gpu"): "vector(96)",
                ("research-training", "h100-spot", "nvidia_com_gpu"): "vector(32)",
            },
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_fact_is_what_the_cluster_file_says(
    cluster: str,
    series: str,
    facts: dict[tuple[str, ...], str],
    facts_of: Callable[..., dict[tuple[str, ...], str]],
) -> None:
    assert facts_of(cluster, series) == facts
