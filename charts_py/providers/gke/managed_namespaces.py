"""The namespaces that GKE runs its own daemons in."""

MANAGED_NAMESPACES = (
    "gke-gmp-system",
    "gke-managed-ambient",
    "gke-managed-checkpointing",
    "gke-managed-cim",
    "gke-managed-dpv2-observability",
    "gke-managed-filestorecsi",
    "gke-managed-lustrecsi",
    "gke-managed-metrics-server",
    "gke-managed-mldiagnostics",
    "gke-managed-networking-dra-driver",
    "gke-managed-otel",
    "gke-managed-parallelstorecsi",
    "gke-managed-pod-snapshots",
    "gke-managed-slurm",
    "gke-managed-system",
    "gke-managed-volumepopulator",
    "gkebackup",
    "gmp-system",
)
"""Each stands only where the feature is on that it belongs to.

`config.flags.system-namespaces` of https://github.com/GoogleCloudPlatform/cluster-autoscaler at
606f44c, charts/cluster-autoscaler; and those of
https://cloud.google.com/kubernetes-engine/docs/how-to/configure-dpv2-observability and of the
drivers and metrics that a Standard cluster comes with.
"""
