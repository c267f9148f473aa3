"""Rules for machines that are there."""

import yaml

from tests.charts_py.fixture_types import ObjectsOf, PlatformWith

RULE = """
apiVersion: nfd.k8s-sigs.io/v1alpha1
kind: NodeFeatureRule
metadata:
  name: pool
  labels: {app.kubernetes.io/managed-by: gpuplane}
spec:
  rules:
  - name: pool
    labels:
      gpuplane.io/gpu-model: h200
      gpuplane.io/interconnect: infiniband
      gpuplane.io/nvlink: "true"
      gpuplane.io/pool: pool
      gpuplane.io/purchase: reserved
      gpuplane.io/purpose: training
      nvidia.com/gpu.product: NVIDIA-H200
      nvidia.com/mig.config: all-disabled
    taints: [{key: nvidia.com/gpu, value: present, effect: NoSchedule}]
    matchFeatures:
    - feature: pci.device
      matchExpressions:
        vendor: {op: In, value: ["10de"]}
        device: {op: In, value: ["2335"]}
    - feature: system.name
      matchExpressions:
        nodename: {op: InRegexp, value: ["^train-[0-9]+$"]}
"""

H200 = """
    gpu: H200-SXM
    gpus: 8
    cpu: 192
    memory: 2Ti
    purpose: training
    nodes: {min: 8, max: 8}
    purchase: reserved
    interconnect: infiniband
    match: {hostnames: ["^train-[0-9]+$"]}
"""

MI300X = """
    gpu: MI300X
    gpus: 8
    cpu: 192
    memory: 2304Gi
    purpose: training
    nodes: {max: 2}
"""


def test_a_rule_as_a_whole(platform_with: PlatformWith, objects_of: ObjectsOf) -> None:
    objects = objects_of(platform_with("onprem", H200))
    assert objects == {"NodeFeatureRule pool": yaml.safe_load(RULE)}


def test_a_pool_that_names_no_machines_takes_every_one_with_its_gpu(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    (rule,) = objects_of(platform_with("onprem", MI300X))["NodeFeatureRule pool"]["spec"]["rules"]
    device = {"vendor": {"op": "In", "value": ["1002"]}, "device": {"op": "In", "value": ["74a1"]}}
    assert rule["matchFeatures"] == [{"feature": "pci.device", "matchExpressions": device}]
    assert rule["taints"] == [{"key": "amd.com/gpu", "value": "present", "effect": "NoSchedule"}]
