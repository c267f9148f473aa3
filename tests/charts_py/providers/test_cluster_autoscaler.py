import pytest

from charts_py.providers.cluster_autoscaler import corrected_resources
from tests.charts_py.fixture_types import PlatformWith

A100 = "instanceType: Standard_NC48ads_A100_v4, purpose: batch, nodes: {max: 1}"
P4D = "instanceType: p4d.24xlarge, purpose: batch, nodes: {max: 1}, zones: [us-east-1a]"


@pytest.mark.parametrize(
    ("sample", "pool", "resources"),
    [
        ("aks", A100, {}),
        ("aks", f"{A100}, sharing: {{mig: {{1g.10gb: 7}}}}", {"nvidia.com/gpu": "14"}),
        ("aks", f"{A100}, sharing: {{timeSlicing: 4}}", {"nvidia.com/gpu": "8"}),
        ("eksctl", P4D, {}),
        (
            "eksctl",
            f"{P4D}, sharing: {{mig: {{1g.5gb: 7}}}}",
            {"nvidia.com/gpu": "0", "nvidia.com/mig-1g.5gb": "56"},
        ),
    ],
)
def test_only_what_differs_from_the_gpus_of_the_instance_type_is_corrected(
    platform_with: PlatformWith, sample: str, pool: str, resources: dict[str, str]
) -> None:
    (read,) = platform_with(sample, f"{{{pool}}}").pools
    assert corrected_resources(read) == resources
