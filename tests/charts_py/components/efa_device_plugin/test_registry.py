"""Where the image of the EFA device plugin is pulled from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from charts_py.components.efa_device_plugin.definition import EFA_DEVICE_PLUGIN
from charts_py.components.efa_device_plugin.registry import registry
from charts_py.providers.regions import REGIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.components.component import Component
    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform


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
        region for region in REGIONS["eks"].names if registry(region).split(".")[3] != region
    ] == []


def test_the_chart_takes_the_registry(
    example: Callable[[str], Platform], rendered: Callable[[Component], tuple[Document, ...]]
) -> None:
    platform = example("training")
    (component,) = EFA_DEVICE_PLUGIN.plan(platform)
    (document,) = rendered(component)
    (container,) = document["spec"]["template"]["spec"]["containers"]
    image = f"{registry(platform.cluster.region)}/eks/aws-efa-k8s-device-plugin:"
    assert container["image"].startswith(image)
