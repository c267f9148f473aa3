"""What a cluster on GKE has before its first sync."""

from charts_py.platform.prerequisite import Prerequisite

PREREQUISITES = (
    Prerequisite(
        name="A Standard cluster",
        without="Autopilot admits neither the GPU operator nor node pools of one's own",
    ),
    Prerequisite(
        name="Config Connector, which may manage node pools; in namespaced mode with a "
        "ConfigConnectorContext in the namespace `node-pools` ([documentation]"
        "(https://cloud.google.com/config-connector/docs/how-to/install-namespaced))",
        needed="unless `gke.provisioner` is `compute-class`",
        without="node pools are never created, and the waves after them never start",
    ),
    Prerequisite(
        name="A cluster in no release channel",
        needed="for pools with `nodes.queued`, whose nodes GKE does not upgrade",
        without="GKE refuses the node pool",
    ),
    Prerequisite(
        name="Dataplane V2 with multi-networking, the networks of `gke.networks` with a Network "
        "and a GKENetworkParamSet each, and NCCL's plugin ([documentation]"
        "(https://cloud.google.com/kubernetes-engine/docs/how-to/gpu-bandwidth-gpudirect-tcpx))",
        needed="for pools that talk over GPUDirect or RoCE, unless `gke.provisioner` is "
        "`compute-class`",
        checked="`gke.networks` has a network for each interface",
        without="GKE refuses the node pool, or NCCL falls back to the network of the node",
    ),
    Prerequisite(
        name="Dataplane V2, GKE 1.34.1-gke.1829001 or later, and NCCL's plugin ([documentation]"
        "(https://cloud.google.com/kubernetes-engine/docs/how-to/allocate-network-resources-dra))",
        needed="for pools that talk over GPUDirect or RoCE, where `gke.provisioner` is "
        "`compute-class`",
        checked="the minor version of Kubernetes",
        without="nodes have no interfaces that pods could claim",
    ),
    Prerequisite(
        name="A workload policy of the topology `1x72`, which `gke.workloadPolicy` names "
        "([documentation](https://cloud.google.com/ai-hypercomputer/docs/create/gke-ai-hypercompute-custom-a4x))",
        needed="for pools of A4X",
        without="nodes stand in more than one rack, and no NVLink joins them",
    ),
    Prerequisite(
        name='The annotation `cluster-autoscaler.kubernetes.io/safe-to-evict: "false"` on pods '
        "that must not be moved, such as those of training ([documentation]"
        "(https://cloud.google.com/kubernetes-engine/docs/concepts/cluster-autoscaler))",
        needed="unless `gke.provisioner` is `compute-class`, which leaves nodes of all purposes "
        "but inference alone until they are empty",
        without="GKE drains nodes of which half or less is used, for which a node pool has no "
        "setting",
    ),
    Prerequisite(
        name="A range of pod addresses with room for twice `maxPods` on each node "
        "([documentation](https://cloud.google.com/kubernetes-engine/docs/how-to/flexible-pod-cidr))",
        checked="`maxPods` is at most what GKE allows on a node",
        without="GKE refuses to make nodes",
    ),
    Prerequisite(
        name="Workload Identity Federation for GKE, with `GKE_METADATA` on the node pools that the "
        "platform does not make, too ([documentation]"
        "(https://cloud.google.com/kubernetes-engine/docs/how-to/workload-identity))",
        without="pods of teams, which may reach the metadata server, get from it the token of the "
        "service account of such a node",
    ),
)
