"""The label that joins what an exporter measures with what kube-state-metrics says of its node."""

from collections.abc import Mapping

NODE_OF_POD: Mapping[str, object] = {
    "action": "replace",
    "sourceLabels": ["__meta_kubernetes_pod_node_name"],
    "targetLabel": "node",
}
"""A relabeling of the Prometheus operator: `node` is the node of the pod that is scraped."""
