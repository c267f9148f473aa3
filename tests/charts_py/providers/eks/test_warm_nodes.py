"""Nodes kept running though idle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from charts_py.platform.registry_mirrors import RegistryMirrors
from charts_py.providers.eks.warm_nodes import warm_nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]

BUFFER = """
apiVersion: autoscaling.x-k8s.io/v1beta1
kind: CapacityBuffer
metadata:
  name: warm-pool
  namespace: node-pools
  labels: {app.kubernetes.io/managed-by: gpuplane}
spec:
  provisioningStrategy: buffer.x-k8s.io/active-capacity
  podTemplateRef: {name: warm-pool}
  replicas: 2
"""

POD_TEMPLATE = """
apiVersion: v1
kind: PodTemplate
metadata:
  name: warm-pool
  namespace: node-pools
  labels: {app.kubernetes.io/managed-by: gpuplane}
template:
  spec:
    nodeSelector: {gpuplane.io/pool: pool}
    tolerations:
    - {key: nvidia.com/gpu, operator: Equal, value: present, effect: NoSchedule}
    - {key: gpuplane.io/purchase, operator: Equal, value: spot, effect: NoSchedule}
    containers:
    - name: placeholder
      image: registry.k8s.io/pause:3.10.1
      resources:
        requests: {cpu: "24", nvidia.com/gpu.shared: "16"}
        limits: {nvidia.com/gpu.shared: "16"}
      securityContext:
        allowPrivilegeEscalation: false
        capabilities: {drop: [ALL]}
        runAsNonRoot: true
        seccompProfile: {type: RuntimeDefault}
"""


def test_a_warm_node_is_an_imaginary_pod_that_asks_for_a_whole_node(
    platform_with: PlatformWith,
) -> None:
    pool = (
        "{instanceType: g5.12xlarge, purpose: notebooks, nodes: {max: 6, warm: 2}, "
        "purchase: spot, sharing: {timeSlicing: 4}}"
    )
    (found,) = platform_with("eks", pool).pools
    assert list(warm_nodes(found, RegistryMirrors({}))) == [
        yaml.safe_load(POD_TEMPLATE),
        yaml.safe_load(BUFFER),
    ]
