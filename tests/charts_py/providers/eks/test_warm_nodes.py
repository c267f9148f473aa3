"""Nodes kept running though idle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

    PlatformWith = Callable[..., Platform]
    ObjectsOf = Callable[[Platform], Mapping[str, Document]]

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
        requests: {nvidia.com/gpu.shared: "16"}
        limits: {nvidia.com/gpu.shared: "16"}
      securityContext:
        allowPrivilegeEscalation: false
        capabilities: {drop: [ALL]}
        runAsNonRoot: true
        seccompProfile: {type: RuntimeDefault}
"""


def test_a_warm_node_is_an_imaginary_pod_that_asks_for_a_whole_node(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    pool = (
        "{instanceType: g5.12xlarge, purpose: notebooks, nodes: {max: 6, warm: 2}, "
        "purchase: spot, sharing: {timeSlicing: 4}}"
    )
    objects = objects_of(platform_with("eks", pool))
    assert objects["CapacityBuffer warm-pool"] == yaml.safe_load(BUFFER)
    assert objects["PodTemplate warm-pool"] == yaml.safe_load(POD_TEMPLATE)


def test_a_pool_without_warm_nodes_has_no_buffer(
    platform_with: PlatformWith, objects_of: ObjectsOf
) -> None:
    pool = "{instanceType: g5.12xlarge, purpose: notebooks, nodes: {max: 6}}"
    kinds = {document["kind"] for document in objects_of(platform_with("eks", pool)).values()}
    assert kinds == {"EC2NodeClass", "NodePool"}
