"""Optional parts of the platform."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field

from charts_py.cluster_file.model_registry import ModelRegistry
from charts_py.cluster_file.strict_model import StrictModel, added_later
from charts_py.cluster_file.text_forms import LabelValue, NamespaceName, with_a_port_that_exists
from culling.settings import Action
from repair.settings import RepairAction

PrometheusUrl: TypeAlias = Annotated[
    str,
    Field(
        pattern=r"^https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[1-9][0-9]{0,4})?(/[^\s@?#{}]*)?$",
        examples=["http://prometheus-operated.monitoring.svc:9090"],
    ),
    AfterValidator(with_a_port_that_exists),
]
"""Without credentials, which nothing in a cluster file may hold."""


class Prometheus(StrEnum):
    """Who scrapes a cluster and alerts on it, and which kinds of objects configure that."""

    OPERATOR = "operator"
    GOOGLE_MANAGED = "google-managed"


class GpuCounters(StrEnum):
    """Which counters are collected of NVIDIA GPUs."""

    EXPORTER = "exporter"
    HEALTH = "health"
    PROFILING = "profiling"


class Dashboards(StrictModel):
    """Dashboards as ConfigMaps, which a sidecar of Grafana reads; `{}` has them with defaults."""

    namespace: NamespaceName | None = None
    """Namespace of the ConfigMaps, which must exist; defaults to that of `addons.monitoring`, or
    `monitoring`. The sidecar of kube-prometheus-stack reads those of every namespace, that of
    Grafana's own chart those of its own alone."""
    labels: dict[str, LabelValue] = Field(
        default_factory=lambda: {"grafana_dashboard": "1"}, min_length=1
    )
    """Labels by which the sidecar finds them: its `label` and `labelValue`."""
    folder: str | None = Field(default=None, min_length=1, max_length=189, examples=["GPUs"])
    """Folder in Grafana, as the annotation `grafana_folder`; the sidecar reads it where its
    `folderAnnotation` is that, and `provider.foldersFromFilesStructure` is true."""


class Monitoring(StrictModel):
    """Where metrics are scraped from."""

    prometheus: Prometheus | None = None
    """Who scrapes: the Prometheus `operator`, by ServiceMonitors and PrometheusRules; or
    `google-managed` collection, by PodMonitorings and Rules (GKE only, and its default)."""
    namespace: NamespaceName | None = None
    """Namespace of Prometheus, which may reach the teams' metrics ports; defaults to `monitoring`
    with the operator. Google's collectors may reach them from namespaces of their own."""
    prometheus_url: PrometheusUrl | None = None
    """Address of Prometheus's API, for what asks it in the cluster, without credentials. With
    kube-prometheus-stack `http://prometheus-operated.NAMESPACE.svc:9090`; with Google's managed
    collection that of its frontend, which you deploy: `http://frontend.NAMESPACE.svc:9090`."""
    service_monitors: bool = True
    """Emit what Prometheus scrapes and alerts by. The operator, or Google's managed collection, has
    to be there, and for alerts on nodes kube-state-metrics."""
    labels: dict[str, LabelValue] = Field(default_factory=dict)
    """Labels of every ServiceMonitor, PodMonitor and PrometheusRule, by which Prometheus selects
    them; what a manifest of your own says itself stays. kube-prometheus-stack selects those with
    `release: <name of its Helm release>` alone, unless its `...SelectorNilUsesHelmValues` are
    false. Where the GPU operator runs, they can change but not all be taken away: in a version
    without any, the API server refuses the ClusterPolicy, whose
    `spec.dcgmExporter.serviceMonitor.additionalLabels` becomes null, until somebody removes it."""
    runbooks: str | None = Field(
        default=None,
        pattern=r"^https?://[^\s/{}][^\s{}]*$",
        examples=["https://docs.example.com/gpuplane/alerts/#"],
    )
    """What the address of an alert's runbook begins with; the alert's name in lower case follows.
    Each alert then has the annotation `runbook_url`. The page docs/reference/alerts.md of gpuplane
    has a heading for each, to which `.../alerts.md#` leads; or write runbooks of your own. Braces
    are left out, since Prometheus reads a template between them."""
    interval: str = Field(default="15s", pattern=r"^[1-9][0-9]{0,3}(s|m)$", examples=["15s"])
    """How often GPU metrics are scraped."""
    gpu_counters: GpuCounters = GpuCounters.EXPORTER
    """Which counters are collected of NVIDIA GPUs: those of the `exporter`'s own file, which lacks
    most errors; those of a GPU's `health` and use; or besides those of `profiling`, such as
    how busy its multiprocessors are. No other profiler can run beside (docs/monitoring.md)."""
    dashboards: Dashboards | None = None
    """Dashboards of Grafana."""


class MetricsServer(StrictModel):
    """metrics-server, from which autoscalers know what pods use."""

    install: bool | None = None
    """Whether the platform installs it; by default where the provider brings none, on EKS and
    on-prem. `false` where the cluster has one already, such as EKS's community add-on, which eksctl
    installs with a cluster, or that of k3s: there is one metrics API, and two servers would take it
    from each other."""
    verify_kubelets: bool = True
    """Whether it verifies the certificates of kubelets by the cluster's authority. kubeadm's
    kubelets sign their own unless `serverTLSBootstrap` is set; it is never ready with those."""


class GpuHealthAction(StrEnum):
    """What is done about a node with a broken GPU."""

    OBSERVE = "observe"
    QUARANTINE = "quarantine"
    EVICT = "evict"


class BurnIn(StrictModel):
    """The test of a node's GPUs before they get work; `{}` has it with defaults."""

    level: int = Field(default=2, ge=1, le=3)
    """How thorough it is, as `dcgmi diag` counts: 1 takes seconds, 2 some minutes, 3 a quarter of
    an hour and more."""


class GpuHealth(StrictModel):
    """How broken GPUs are found, and what follows."""

    action: GpuHealthAction = GpuHealthAction.OBSERVE
    """What is done about a node with a broken GPU: `observe` sets its conditions alone;
    `quarantine` keeps further pods off the whole node, by a taint; `evict` ends its pods besides,
    at once and without regard for PodDisruptionBudgets."""
    max_percent: Annotated[int, Field(ge=1, le=100)] = added_later(20)
    """Percentage of the nodes that a pool has at most, rounded up, which may be set aside within a
    day: a job that breaks whatever it runs on must not take the whole pool."""
    burn_in: BurnIn | None = None
    """Keep pods off a new node until NVIDIA's diagnostics have passed on its GPUs, once; needs
    EKS or machines of your own. Pools of MIG or MPS have none."""
    repair: RepairAction | None = added_later(None)
    """Repair a node that is set aside, once nothing runs on it any more: `observe` says in Events
    what would be done; `act` has Karpenter replace it on EKS, and reboots it where it is a machine
    of your own, once a day at most. Needs `action` `quarantine` or `evict`, and
    `network.apiServer`."""


class IdleGpus(StrictModel):
    """What becomes of workloads that hold GPUs and have not used them."""

    action: Action = Action.OBSERVE
    """What is done about them in namespaces with `idlePods: end`: `observe` says what would end, in
    Events and a log; `end` ends it."""
    max_percent: int = Field(default=25, ge=1, le=100)
    """Percentage of the cluster's GPUs. Where idle workloads hold more, nothing ends: a broken
    exporter, which reports no use, must not end everything."""


class Addons(StrictModel):
    """Optional parts of the platform."""

    monitoring: Monitoring = Monitoring()
    """How the metrics of GPUs and teams are scraped."""
    metrics_server: MetricsServer = MetricsServer()
    """Where the metrics come from that the webhook's autoscaler scales by."""
    cert_manager: bool = added_later(False)
    """Install cert-manager, which issues the certificate of the webhook unless
    `webhook.certificate` is given. Leave it out where the cluster has one, whose objects it would
    take."""
    gdrcopy: bool = False
    """Load the GDRCopy kernel module, for low-latency copies from GPU memory. The GPU operator must
    own the driver."""
    gpudirect_storage: bool = False
    """Load the GPUDirect Storage kernel module. The GPU operator must own the driver."""
    efa_device_plugin: bool = True
    """Install the EFA device plugin where a pool's interconnect is `efa`."""
    compute_domains: bool = True
    """Install NVIDIA's DRA driver for NVLink domains where NVLink joins the machines of a pool, as
    with GB200; from Kubernetes 1.34."""
    node_readiness: bool = False
    """Keep pods off a node until device plugins advertise what its pool promises; on EKS, where it
    replaces the nodes of Karpenter, and the autoscaler of eksctl's takes a flag."""
    gpu_health: GpuHealth | None = None
    """Watch the kernel's log for errors of NVIDIA GPUs, and how many GPUs device plugins advertise,
    and set conditions on the nodes; `{}` does nothing else."""
    open_cost: bool = False
    """Install OpenCost, which counts what nodes and pods cost, by the prices of the pools; needs
    `addons.monitoring.prometheusUrl`."""
    topograph: bool = False
    """Install topograph, which labels machines of your own by the InfiniBand switches above them,
    for a pool's `topology`. Its pods on the machines are privileged."""
    idle_gpus: IdleGpus | None = None
    """Look every ten minutes for workloads that hold GPUs and have not used any of them for
    `pools.NAME.alerts.idleMinutes`; `{}` only says which. Needs `network.apiServer`, and in
    `addons.monitoring` both `prometheusUrl` and `gpuCounters`."""
    model_registry: ModelRegistry | None = added_later(None)
    """MLflow, which records training runs and keeps versions of models. It asks nobody who they
    are: whoever reaches it, as all pods of teams do, may change all of it
    (docs/model-registry.md)."""

    @property
    def watches_nodes(self) -> bool:
        """Whether node-problem-detector runs on the nodes of pools."""
        return self.node_readiness or self.gpu_health is not None

    @property
    def gpu_health_action(self) -> GpuHealthAction:
        return self.gpu_health.action if self.gpu_health else GpuHealthAction.OBSERVE

    @property
    def evicts_pods(self) -> bool:
        return self.gpu_health_action is GpuHealthAction.EVICT

    @property
    def burn_in(self) -> BurnIn | None:
        return self.gpu_health.burn_in if self.gpu_health else None

    @property
    def repair(self) -> RepairAction | None:
        return self.gpu_health.repair if self.gpu_health else None

    @property
    def taints_nodes(self) -> bool:
        """Whether the readiness controller taints nodes by their conditions."""
        acts = self.gpu_health_action is not GpuHealthAction.OBSERVE
        return self.node_readiness or acts or self.burn_in is not None
