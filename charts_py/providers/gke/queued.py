"""Nodes that GKE starts only for a job that waits for them, all at once.

Config Connector 1.155 has no field for flex-start, at whose price GKE can start them, too.

- the class: https://cloud.google.com/kubernetes-engine/docs/how-to/provisioningrequest
- what the node pool must have: https://github.com/GoogleCloudPlatform/cluster-toolkit at 104708037
  (modules/compute/gke-node-pool/main.tf and
  examples/gke-consumption-options/dws-flex-start-queued-provisioning)
"""

from gpus.taint import NO_SCHEDULE, Taint

PROVISIONING_CLASS = "queued-provisioning.gke.io"
QUEUED = Taint("cloud.google.com/gke-queued", "true", NO_SCHEDULE)
"""GKE sets it by itself."""
