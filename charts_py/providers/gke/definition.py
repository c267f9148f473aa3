"""Facts, checks and node pools of Google's GKE.

https://cloud.google.com/kubernetes-engine/docs/how-to/gpus: Google's driver comes with Google's
device plugin; the GPU operator cannot install a driver on Container-Optimized OS.
"""

from charts_py.cluster_file.addons import Prometheus
from charts_py.cluster_file.cluster import NetworkPolicyEngine
from charts_py.cluster_file.hardware import DriverOwner
from charts_py.cluster_file.provider import GkeProvisioner
from charts_py.platform.name_rule import NameRule
from charts_py.platform.platform_namespaces import NODE_POOLS_NAMESPACE
from charts_py.platform.provider_facts import (
    CALICO,
    KUBE_DNS,
    NODE_LOCAL_DNS,
    EngineSign,
    GpuHost,
    IdentityEndpoint,
)
from charts_py.platform.wave import Wave
from charts_py.providers.definition import REGIONS, ProviderDefinition, Provisioner
from charts_py.providers.gke import checks
from charts_py.providers.gke.compute_class import compute_classes
from charts_py.providers.gke.config_connector import IGNORE_DIFFERENCES, container_node_pools
from gpus.instance_type import Interconnect
from gpus.model import NVIDIA
from gpus.pool_facts import Advertiser, ResourceNaming
from gpus.provider import Provider
from gpus.purchase import GKE_SPOT, Purchase
from gpus.taint import NO_SCHEDULE, ProviderTaints, Taint

_POOL_NAME = NameRule("a GKE node pool", r"[a-z]([-a-z0-9]{0,38}[a-z0-9])?", 40)
_QUEUED = Taint("cloud.google.com/gke-queued", "true", NO_SCHEDULE)
"""GKE sets it by itself on nodes that it starts only for a job that waits for them, all at once.

Config Connector 1.155 has no field for flex-start, at whose price GKE can start them, too.

- the class: https://cloud.google.com/kubernetes-engine/docs/how-to/provisioningrequest
- what the node pool must have: https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037
  (modules/compute/gke-node-pool/main.tf and
  examples/gke-consumption-options/dws-flex-start-queued-provisioning)
"""

_MANAGED_FEATURES = """
ambient checkpointing cim dpv2-observability filestorecsi lustrecsi metrics-server mldiagnostics
networking-dra-driver otel parallelstorecsi pod-snapshots slurm system volumepopulator
"""
"""Each has its namespace only where it is on.

`config.flags.system-namespaces` of https://github.com/GoogleCloudPlatform/cluster-autoscaler at
606f44c, charts/cluster-autoscaler; and those of
https://cloud.google.com/kubernetes-engine/docs/how-to/configure-dpv2-observability and of the
drivers and metrics that a Standard cluster comes with.
"""
_DRIVER_FOLDER = "/home/kubernetes/bin/nvidia"
"""Google's installer puts the driver there; most of Container-Optimized OS is read-only."""

GKE = ProviderDefinition(
    name=Provider.GKE,
    runs_api_server="Google",
    pool_name=lambda _draft, _pool: _POOL_NAME,
    provisioners={
        GkeProvisioner.CONFIG_CONNECTOR: Provisioner(
            objects=container_node_pools,
            wave=Wave.NODES,
            namespace=NODE_POOLS_NAMESPACE,
            namespaces=(NODE_POOLS_NAMESPACE,),
            ignore_differences=(IGNORE_DIFFERENCES,),
        ),
        # A ComputeClass belongs to the whole cluster.
        GkeProvisioner.COMPUTE_CLASS: Provisioner(
            objects=compute_classes, wave=Wave.NODES, namespace="default"
        ),
    },
    driver_owners=(DriverOwner.MANAGED,),
    # https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/google-gke.html; without
    # the variable the toolkit breaks containerd's configuration on GKE 1.33 and later.
    hosts={
        DriverOwner.MANAGED: GpuHost(
            toolkit={
                "enabled": True,
                "installDir": _DRIVER_FOLDER,
                "env": [{"name": "RUNTIME_CONFIG_SOURCE", "value": "file"}],
            },
            driver_folder=_DRIVER_FOLDER,
        )
    },
    advertiser=Advertiser.GKE,
    # https://docs.cloud.google.com/kubernetes-engine/docs/how-to/set-up-dra
    needs_device_plugin="gke installs its driver only together with its own device plugin",
    naming=ResourceNaming.WHOLE,
    purchases=(Purchase.RESERVED, Purchase.ON_DEMAND, Purchase.SPOT),
    interconnects=(
        Interconnect.ETHERNET,
        Interconnect.GPUDIRECT_TCPX,
        Interconnect.GPUDIRECT_TCPXO,
        Interconnect.ROCE,
    ),
    uniform_mig=True,
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
    provisioning_class="queued-provisioning.gke.io",
    # https://cloud.google.com/kubernetes-engine/docs/concepts/dataplane-v2
    network_policy_engines={
        NetworkPolicyEngine.DATAPLANE_V2: (EngineSign("anetd"),),
        NetworkPolicyEngine.CALICO: CALICO,
    },
    region="europe-west4",
    regions=REGIONS["gke"],
    reservation_pattern=r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?",
    # https://cloud.google.com/kubernetes-engine/docs/concepts/timesharing-gpus
    max_clients=48,
    # New clusters have managed collection, and no kinds of the Prometheus operator:
    # https://cloud.google.com/stackdriver/docs/managed-prometheus/setup-managed
    prometheus=(Prometheus.GOOGLE_MANAGED, Prometheus.OPERATOR),
    # Which of both depends on the mode of the cluster and on its version.
    collector_namespaces=("gke-gmp-system", "gmp-system"),
    managed_namespaces=(
        "gke-gmp-system",
        *(f"gke-managed-{feature}" for feature in _MANAGED_FEATURES.split()),
        "gkebackup",
        "gmp-system",
    ),
    # Dataplane V2 redirects to NodeLocal DNSCache, which new clusters have from 1.34.1-gke.3720000:
    # https://cloud.google.com/kubernetes-engine/docs/how-to/nodelocal-dns-cache and
    # https://github.com/GoogleCloudPlatform/anthos-security-blueprints (restricting-traffic).
    dns_pods=(KUBE_DNS, NODE_LOCAL_DNS),
    # https://cloud.google.com/ai-hypercomputer/docs/workloads/schedule-gke-workloads-tas
    topology_labels=tuple(
        f"cloud.google.com/gce-topology-{level}" for level in ("block", "subblock", "host")
    ),
    # The GKE metadata server. Dataplane V2 judges the address that a pod asks, the older one
    # that which its node redirects it to:
    # https://cloud.google.com/kubernetes-engine/docs/how-to/network-policy
    identity_endpoints=(
        IdentityEndpoint("169.254.169.252/32", (987, 988)),
        IdentityEndpoint("169.254.169.254/32", (80,)),
    ),
    # https://github.com/kubernetes-sigs/metrics-server/issues/190
    brings_metrics_server=True,
    no_rdma_plugin="the names of the Network objects of GKE are not known",
    cluster_fields=("project", "clusterName", "location"),
    node_labels=("cloud.google.com/gke-nodepool",),
    node_kind="ContainerNodePool",
    provider_id_scheme="gce",
    # GKE configures the API server to limit their consumption by default:
    # https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/google-gke.html
    bounds_critical_pods=True,
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
        checks.check_purchases,
        checks.check_queued,
        checks.check_accelerator,
    ),
)
