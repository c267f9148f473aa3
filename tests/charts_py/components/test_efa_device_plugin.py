"""The EFA device plugin, and what its pinned chart renders with our values."""

from collections.abc import Callable

import pytest

from charts_py.components.efa_device_plugin import EFA_DEVICE_PLUGIN, registry
from charts_py.objects.document import Document
from charts_py.providers.eks.definition import EKS
from tests.charts_py.fixture_types import Load


def test_the_selected_nodes_carry_the_label(example: Load) -> None:
    platform = example("training")
    (component,) = EFA_DEVICE_PLUGIN.plan(platform)
    assert component.helm is not None
    ((label, value),) = component.helm.values["nodeSelector"].items()
    labelled = {pool.name for pool in platform.pools if pool.facts.labels.get(label) == value}
    assert labelled == {pool.name for pool in platform.pools if pool.hardware.interconnect == value}


def test_the_chart_knows_the_instance_types_of_the_pools(
    example: Load, pinned_values: Callable[[str], Document]
) -> None:
    (component,) = EFA_DEVICE_PLUGIN.plan(example("training"))
    assert component.helm is not None
    chosen = component.helm.values["supportedInstanceLabels"]["values"]
    known = pinned_values("aws-efa-k8s-device-plugin")["supportedInstanceLabels"]["values"]
    assert set(chosen) <= set(known)


@pytest.mark.parametrize(
    ("region", "expected"),
    # https://docs.aws.amazon.com/eks/latest/userguide/add-ons-images.html
    [
        ("us-east-1", "602401143452.dkr.ecr.us-east-1.amazonaws.com"),
        ("il-central-1", "066635153087.dkr.ecr.il-central-1.amazonaws.com"),
        ("us-gov-west-1", "013241004608.dkr.ecr.us-gov-west-1.amazonaws.com"),
        ("cn-northwest-1", "961992271922.dkr.ecr.cn-northwest-1.amazonaws.com.cn"),
    ],
)
def test_a_region_has_a_registry_of_an_account_of_aws(region: str, expected: str) -> None:
    assert registry(region) == expected


def test_the_registry_is_that_of_the_region_everywhere() -> None:
    assert [
        region for region in EKS.regions.names if registry(region).split(".")[3] != region
    ] == []
