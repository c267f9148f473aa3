"""What Karpenter's NodePools state."""

import pytest

from charts_py.cluster_file.pool import Numa
from gpuplane.adoption.adoption import cluster_file
from gpuplane.adoption.node_group import NodeGroup
from gpuplane.adoption.stated_pools import agent_pools, karpenter_pools
from gpus.catalog import load_catalog
from gpus.purchase import Purchase
from tests.gpuplane.adoption.conftest import Reading

AGENT_POOL = """
apiVersion: containerservice.azure.com/v1api20240901
kind: ManagedClustersAgentPool
metadata: {{name: h100, namespace: default}}
spec:
  azureName: h100
  vmSize: Standard_ND96isr_H100_v5
  kubeletConfig: {{{settings}}}
"""


def test_a_pool_is_what_its_node_pool_and_its_class_state(exported: Reading) -> None:
    assert list(karpenter_pools(exported("block"), load_catalog())) == [
        NodeGroup(
            name="block",
            origins=("NodePool block", "EC2NodeClass p5"),
            instance_types=("p5.48xlarge",),
            purchases=(Purchase.CAPACITY_BLOCK,),
            reservations=("cr-0123456789abcdef0",),
            limits={"nvidia.com/gpu": "40"},
            max_pods=50,
            notes=(
                (
                    "not carried over: reservations that EC2NodeClass p5 selects by tags or owner; "
                    "name one"
                ),
            ),
        )
    ]


def test_limits_in_gpus_bound_the_nodes_that_they_are_enough_for(exported: Reading) -> None:
    lines = cluster_file(exported("block")).splitlines()
    at = lines.index("    nodes: {max: 5}")
    assert lines[at - 1] == "    # max is the nodes that 40 of nvidia.com/gpu are enough for"


def test_a_class_of_auto_mode_is_told(exported: Reading) -> None:
    (group,) = karpenter_pools(exported("auto-mode"), load_catalog())
    assert group.notes == (
        "NodePool auto takes its nodes from eks.amazonaws.com, which gpuplane does not write",
    )


TOGETHER = "its limits hold for all of them together"
FAMILIES = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  template:
    metadata: {labels: {sku: gpu}}
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements:
        - {key: karpenter.k8s.aws/instance-family, operator: In, values: [g5, g6]}
        - {key: karpenter.k8s.aws/instance-gpu-count, operator: Lt, values: ["2"]}
        - {key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["17"]}
        - {key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}
      taints: [{key: dedicated, value: llm, effect: NoSchedule}]
  limits: {nvidia.com/gpu: 8}
---
{apiVersion: karpenter.k8s.aws/v1, kind: EC2NodeClass, metadata: {name: default}}
"""


def test_a_node_pool_by_families_is_a_pool_for_each_kind_of_gpus(inventory_of: Reading) -> None:
    groups = tuple(karpenter_pools(inventory_of(FAMILIES), load_catalog()))
    assert {group.name: group.instance_types for group in groups} == {
        "gpu-a10g": ("g5.xlarge", "g5.2xlarge", "g5.4xlarge"),
        "gpu-l4": ("g6.xlarge", "g6.2xlarge", "g6.4xlarge"),
    }
    assert {group.notes for group in groups} == {
        (f"NodePool gpu allows 2 kinds of nodes, a pool each; {TOGETHER}",)
    }


@pytest.mark.parametrize(
    ("label", "operator", "value", "families"),
    [
        ("name", "In", "rtx-pro-server-6000", {"g7e"}),
        ("name", "In", "v100", {"p3", "p3dn"}),
        ("memory", "Gt", "150000", {"p6-b200", "p6-b300"}),
        ("memory", "In", "22888", {"g5", "g6", "gr6"}),
    ],
)
def test_gpus_are_known_by_the_names_that_karpenter_gives_them(
    inventory_of: Reading, label: str, operator: str, value: str, families: set[str]
) -> None:
    stated = "instance-family, operator: In, values: [g5, g6]"
    wanted = f'instance-gpu-{label}, operator: {operator}, values: ["{value}"]'
    text = FAMILIES.replace(stated, wanted).replace('["2"]', '["9"]').replace('["17"]', '["999"]')
    groups = karpenter_pools(inventory_of(text), load_catalog())
    machines = [machine for group in groups for machine in group.instance_types]
    assert {machine.partition(".")[0] for machine in machines} == families


def test_machines_that_it_names_are_kept_with_those_that_no_table_has(
    inventory_of: Reading,
) -> None:
    named = "{key: node.kubernetes.io/instance-type, operator: In, values: [g6.xlarge, g9.xlarge]}"
    family = "{key: karpenter.k8s.aws/instance-family, operator: In, values: [g5, g6]}"
    (group,) = karpenter_pools(inventory_of(FAMILIES.replace(family, named)), load_catalog())
    assert group.instance_types == ("g6.xlarge", "g9.xlarge")


def test_its_nodes_belong_to_the_pool_of_their_instance_type(inventory_of: Reading) -> None:
    node = """---
apiVersion: v1
kind: Node
metadata:
  name: a
  labels: {karpenter.sh/nodepool: gpu, node.kubernetes.io/instance-type: g6.2xlarge}
"""
    text = cluster_file(inventory_of(f"{FAMILIES}{node}"))
    names = [line.strip() for line in text.splitlines() if line.startswith("  gpu-")]
    assert names == [
        "gpu-a10g: # NodePool gpu, EC2NodeClass default",
        "gpu-l4: # NodePool gpu, EC2NodeClass default",
    ]


def test_a_pool_keeps_machines_purchases_taints_and_labels(inventory_of: Reading) -> None:
    lines = [line.partition(" #")[0] for line in cluster_file(inventory_of(FAMILIES)).splitlines()]
    at = lines.index("  gpu-l4:")
    assert [line.strip() for line in lines[at + 1 :] if line.strip(" #")][:9] == [
        "instanceType: g6.xlarge",
        "instanceTypes: [g6.2xlarge, g6.4xlarge]",
        "nodes: {max: 8}",
        "purchase: spot",
        "onDemandFallback: true",
        "taint: none",
        "taints: [{key: dedicated, value: llm}]",
        "labels: {sku: gpu}",
    ]


def test_a_node_pool_that_narrows_nothing_to_gpus_has_none(inventory_of: Reading) -> None:
    text = FAMILIES.replace("instance-family", "instance-hypervisor").replace("gpu-count", "size")
    groups = tuple(karpenter_pools(inventory_of(text), load_catalog()))
    assert [(group.name, group.instance_types) for group in groups] == [("gpu", ())]


QUEUED = """
apiVersion: container.cnrm.cloud.google.com/v1beta1
kind: ContainerNodePool
metadata: {name: dws}
spec:
  queuedProvisioning: {enabled: true}
  autoscaling: {totalMaxNodeCount: 4}
  nodeConfig: {machineType: a3-ultragpu-8g}
"""


def test_nodes_that_start_for_a_job_are_bought_by_flex_start(inventory_of: Reading) -> None:
    text = cluster_file(inventory_of(QUEUED))
    assert "    nodes: {max: 4, queued: true}\n    purchase: flex-start\n" in text


def test_karpenter_on_aws_is_eks_without_its_classes(inventory_of: Reading) -> None:
    text = cluster_file(inventory_of(FAMILIES.partition("---")[0]))
    assert "provider: eks\n" in text


@pytest.mark.parametrize(
    ("settings", "numa", "lost"),
    [
        ("cpuManagerPolicy: static, topologyManagerPolicy: best-effort", Numa.BEST_EFFORT, False),
        (
            "cpuManagerPolicy: static, topologyManagerPolicy: best-effort, podMaxPids: 4096",
            Numa.BEST_EFFORT,
            True,
        ),
        ("cpuManagerPolicy: static, topologyManagerPolicy: restricted", None, True),
        ("topologyManagerPolicy: best-effort", None, True),
        ("", None, False),
    ],
)
def test_kubelets_of_agent_pools_keep_what_a_pool_can_say_of_them(
    inventory_of: Reading, settings: str, numa: Numa | None, lost: bool
) -> None:
    text = AGENT_POOL.format(settings=settings)
    (group,) = agent_pools(inventory_of(text))
    pool = "ManagedClustersAgentPool default/h100"
    note = f"not carried over: kubeletConfig of {pool}; gpuplane sets its own"
    assert (group.numa, group.notes) == (numa, (note,) if lost else ())
