"""Facts, checks and node pools of Google's GKE.

https://cloud.google.com/kubernetes-engine/docs/how-to/gpus: Google's driver comes with Google's
device plugin; the GPU operator cannot install a driver on Container-Optimized OS.
"""

from charts_py.cluster_file.cluster import NetworkPolicyEngine
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.name_rule import NameRule
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.provider_facts import CALICO, EngineSign
from charts_py.platform.wave import Wave
from charts_py.providers.definition import ProviderDefinition, Provisioner, facts_of
from charts_py.providers.gke import checks
from charts_py.providers.gke.compute_class import compute_classes
from charts_py.providers.gke.config_connector import IGNORE_DIFFERENCES, container_node_pools
from charts_py.providers.gke.machine import label_values, local_disks, pod_interfaces
from gpus.model import NVIDIA
from gpus.provider import Provider
from gpus.purchase import GKE_SPOT
from gpus.taint import NO_SCHEDULE, ProviderTaints, Taint

_POOL_NAME = NameRule("a GKE node pool", r"[a-z]([-a-z0-9]{0,38}[a-z0-9])?", 40, "h100")
_QUEUED = Taint("cloud.google.com/gke-queued", "true", NO_SCHEDULE)
"""GKE sets it by itself on nodes that it starts only for a job that waits for them, all at once.

Config Connector 1.155 has no field for flex-start, which queued provisioning is a kind of.

- the class: https://cloud.google.com/kubernetes-engine/docs/how-to/provisioningrequest
- what the node pool must have: https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037
  (modules/compute/gke-node-pool/main.tf and
  examples/gke-consumption-options/dws-flex-start-queued-provisioning)
"""

GKE = ProviderDefinition(
    **facts_of(Provider.GKE),
    pool_name=lambda _draft, _pool: _POOL_NAME,
    provisioners={
        GkeProvisioner.CONFIG_CONNECTOR: Provisioner(
            objects=container_node_pools,
            wave=Wave.NODES,
            namespace=NODE_POOLS_NAMESPACE,
            namespaces=(NODE_POOLS_NAMESPACE,),
            ignore_differences=(IGNORE_DIFFERENCES,),
            has_placeholders=True,
        ),
        # A ComputeClass belongs to the whole cluster.
        GkeProvisioner.COMPUTE_CLASS: Provisioner(
            objects=compute_classes,
            wave=Wave.NODES,
            namespace="default",
            mixes_machines=True,
            falls_back=True,
        ),
    },
    # https://cloud.google.com/kubernetes-engine/docs/how-to/gpus,
    # https://cloud.google.com/kubernetes-engine/docs/how-to/prepare-arm-workloads-for-deployment
    # and https://cloud.google.com/kubernetes-engine/docs/concepts/spot-vms, which leaves the taint
    # to whoever makes the node pool.
    taints=ProviderTaints(
        gpu_vendors=(NVIDIA,),
        host_architectures=("arm64",),
        spot=Taint(GKE_SPOT, "true", NO_SCHEDULE),
        queued=_QUEUED,
    ),
    # https://cloud.google.com/kubernetes-engine/docs/concepts/dataplane-v2
    network_policy_engines={
        NetworkPolicyEngine.DATAPLANE_V2: (EngineSign("anetd"),),
        NetworkPolicyEngine.CALICO: CALICO,
    },
    label_values=label_values,
    joins_disks=lambda hardware, _: local_disks(hardware) > 0,
    pod_interfaces=pod_interfaces,
    unsold=checks.unsold,
    checks=(
        checks.check_location,
        checks.check_initial_nodes,
        checks.check_compute_class,
        checks.check_sharing,
        checks.check_mps,
        checks.check_networks,
        checks.check_distinct_networks,
        checks.check_one_zone,
        checks.check_rack_size,
        checks.check_queued,
        checks.check_flex_start,
        checks.check_accelerator,
        checks.check_numa,
    ),
)
