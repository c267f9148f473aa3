"""The EFA device plugin, and what its pinned chart renders with our values."""

from collections.abc import Callable

import pytest

from charts_py.components.efa_device_plugin import EFA_DEVICE_PLUGIN, registry
from charts_py.objects.document import Document
from charts_py.platform.wave import Wave
from charts_py.providers.eks.definition import EKS
from tests.charts_py.fixture_types import DocumentsOf, Load
from tests.charts_py.managed import GPU_TOLERATION, tolerates

SAMPLE = """
provider: eks
region: us-east-1
kubernetes: "1.35"
version: 1.0.0
gitops: {repository: https://github.com/example/platform.git}
eks: {clusterName: sample, nodeRole: sample}
pools:
  h100:
    instanceType: p5.48xlarge
    purpose: training
    nodes: {max: 2}
    interconnect: INTERCONNECT
addons: ADDONS
"""


def test_it_runs_where_a_pool_talks_over_efa(example: Load) -> None:
    (component,) = EFA_DEVICE_PLUGIN.plan(example("training"))
    assert component.helm is not None
    assert (component.name, component.wave, component.namespace) == (
        "efa-device-plugin",
        Wave.OPERATORS,
        "kube-system",
    )
    assert component.helm.values == {
        "image": {"repository": f"{registry('us-east-1')}/eks/aws-efa-k8s-device-plugin"},
        "nodeSelector": {"gpuplane.io/interconnect": "efa"},
        "supportedInstanceLabels": {"values": ["g5.12xlarge", "p5.48xlarge"]},
        "tolerations": [
            tolerates("gpuplane.io/purchase", "spot"),
            GPU_TOLERATION,
            tolerates("readiness.k8s.io/gpu-not-ready", "true"),
        ],
    }


@pytest.mark.parametrize(
    ("interconnect", "addons"), [("ethernet", "{}"), ("efa", "{efaDevicePlugin: false}")]
)
def test_it_is_left_out_without_efa_or_by_choice(
    interconnect: str, addons: str, platform_of: Load
) -> None:
    text = SAMPLE.replace("INTERCONNECT", interconnect).replace("ADDONS", addons)
    assert list(EFA_DEVICE_PLUGIN.plan(platform_of(text))) == []


@pytest.mark.parametrize("cluster", ["inference", "mixed", "onprem"])
def test_only_eks_has_efa(cluster: str, example: Load) -> None:
    assert list(EFA_DEVICE_PLUGIN.plan(example(cluster))) == []


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


def test_the_chart_asks_for_the_instance_types_of_the_pools(
    example: Load, rendered: DocumentsOf
) -> None:
    (component,) = EFA_DEVICE_PLUGIN.plan(example("training"))
    (document,) = rendered(component)
    pod = document["spec"]["template"]["spec"]
    (term,) = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    assert term["matchExpressions"][0] == {
        "key": "node.kubernetes.io/instance-type",
        "operator": "In",
        "values": ["g5.12xlarge", "p5.48xlarge"],
    }


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


def test_the_chart_takes_the_registry(example: Load, rendered: DocumentsOf) -> None:
    platform = example("training")
    (component,) = EFA_DEVICE_PLUGIN.plan(platform)
    (document,) = rendered(component)
    (container,) = document["spec"]["template"]["spec"]["containers"]
    image = f"{registry(platform.cluster.region)}/eks/aws-efa-k8s-device-plugin:"
    assert container["image"].startswith(image)
