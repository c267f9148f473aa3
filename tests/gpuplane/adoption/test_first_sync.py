"""What a first sync would change."""

import yaml

from gpuplane.adoption.first_sync import first_sync
from gpuplane.adoption.found_object import FoundObject

RENDERED = {
    "team-vision/Namespace.vision.yaml": b"""\
apiVersion: v1
kind: Namespace
metadata:
  name: vision
  labels: {gpuplane.io/team: vision}
""",
    "team-vision/ResourceQuota.quota.yaml": b"""\
apiVersion: v1
kind: ResourceQuota
metadata: {name: quota, namespace: vision}
spec:
  hard: {requests.cpu: '8', requests.memory: 16Gi}
""",
    "node-pools/NodePool.gpu.yaml": b"""\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu}
spec:
  limits: {nodes: '4'}
  taints:
  - {key: nvidia.com/gpu, effect: NoSchedule}
""",
}
HELD = """\
apiVersion: v1
kind: Namespace
metadata:
  name: vision
  uid: "1"
  annotations: {note: stays}
  labels: {kubernetes.io/metadata.name: vision}
spec: {finalizers: [kubernetes]}
status: {phase: Active}
---
{apiVersion: v1, kind: ResourceQuota, metadata: {name: gpus, namespace: vision}}
---
{apiVersion: v1, kind: ResourceQuota, metadata: {name: quota, namespace: kube-system}}
---
{apiVersion: v1, kind: Node, metadata: {name: a}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gpu, generation: 3}
spec:
  limits: {nodes: 4}
  weight: 5
  taints:
    - {key: nvidia.com/gpu, effect: NoSchedule}
    - {key: dedicated, effect: NoSchedule}
"""


def test_objects_are_new_changed_or_stay_as_they_are() -> None:
    found = [FoundObject(document, "the cluster") for document in yaml.safe_load_all(HELD)]
    assert list(first_sync(RENDERED, found).lines("training")) == [
        "training, what a first sync changes: 1 added, 2 changed, 1 stay as they are",
        "+ team-vision: ResourceQuota vision/quota",
        "~ node-pools: NodePool gpu",
        '    - spec.taints[key=dedicated]: {"key": "dedicated", "effect": "NoSchedule"}',
        "~ team-vision: Namespace vision",
        '    + metadata.labels["gpuplane.io/team"]: "vision"',
        "= ResourceQuota vision/gpus",
    ]


def test_what_is_synced_already_does_not_change() -> None:
    assert list(first_sync({}, []).lines("training")) == [
        "training, what a first sync changes: no change"
    ]
