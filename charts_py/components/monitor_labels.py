"""The labels by which Prometheus selects what it reads."""

from collections.abc import Iterable, Iterator, Mapping

from charts_py.objects.document import Document

_GROUP = "monitoring.coreos.com/"
"""Of the Prometheus operator: it selects all of its kinds by label
(https://github.com/prometheus-operator/prometheus-operator/blob/v0.93.0/Documentation/api-reference/api.md)."""


def with_monitor_labels(
    documents: Iterable[Document], labels: Mapping[str, str]
) -> Iterator[Document]:
    """Yield the documents; those that Prometheus selects have the labels, beside their own."""
    for document in documents:
        if labels and document["apiVersion"].startswith(_GROUP):
            metadata = document["metadata"]
            merged = {**labels, **metadata.get("labels", {})}
            metadata = {**metadata, "labels": dict(sorted(merged.items()))}
            yield {**document, "metadata": metadata}
        else:
            yield document
