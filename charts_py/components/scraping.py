"""How Prometheus scrapes components, and the labels by which it selects what it reads."""

from collections.abc import Callable, Mapping, Sequence

from charts_py.objects.document import Document
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.platform import Platform

_GROUP = "monitoring.coreos.com/"
"""The Prometheus operator selects all objects of its group by label
(https://github.com/prometheus-operator/prometheus-operator/blob/v0.93.0/Documentation/api-reference/api.md)."""

NODE_OF_POD: Mapping[str, object] = {
    "action": "replace",
    "sourceLabels": ["__meta_kubernetes_pod_node_name"],
    "targetLabel": "node",
}
"""A relabeling of the Prometheus operator: `node` is the node of the pod that it scrapes, by which
what an exporter measures joins what kube-state-metrics knows."""


def authorized_metrics(
    service: str, namespace: str, selector: Mapping[str, str], *, honors_labels: bool = False
) -> ScrapeTarget:
    """Return metrics that an operator shows behind a Service to those whose token may read them."""
    return ScrapeTarget(
        service,
        namespace,
        selector,
        port="https",
        # It makes its certificate itself, of no authority.
        tls={"insecureSkipVerify": True},
        is_authorized=True,
        honors_labels=honors_labels,
    )


def scraped_by_operator(target: ScrapeTarget) -> Callable[[Platform], tuple[ScrapeTarget, ...]]:
    """Have a target scraped where the kinds of the Prometheus operator are emitted.

    Google's managed collection shows nobody a token, and renames labels that metrics of others
    bear.
    """
    return lambda platform: (target,) if platform.monitoring.has_operator else ()


def with_monitor_labels(
    documents: Sequence[Document], labels: Mapping[str, str]
) -> Sequence[Document]:
    """Return the documents; those that Prometheus selects have the labels, beside their own."""
    if not labels:
        return documents
    selected = (each["apiVersion"].startswith(_GROUP) for each in documents)
    return [
        _labelled(each, labels) if is_selected else each
        for each, is_selected in zip(documents, selected, strict=True)
    ]


def _labelled(document: Document, labels: Mapping[str, str]) -> Document:
    metadata = document["metadata"]
    merged = {**labels, **metadata.get("labels", {})}
    return {**document, "metadata": {**metadata, "labels": dict(sorted(merged.items()))}}
