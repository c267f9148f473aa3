"""What a cluster on GKE has before its first sync."""

from charts_py.platform.prerequisite import Prerequisite

PREREQUISITES = (
    Prerequisite(
        name="Config Connector, which may manage node pools",
        needed="unless `gke.provisioner` is `compute-class`",
        without="node pools are never made, and the waves after them never start",
    ),
    Prerequisite(
        name="A range of pod addresses with room for twice `maxPods` on each node "
        "([documentation](https://cloud.google.com/kubernetes-engine/docs/how-to/flexible-pod-cidr))",
        checked="`maxPods` is at most what GKE allows on a node",
        without="GKE refuses to make nodes",
    ),
)
