"""What an exporter says of GPUs, as PromQL: whose they are, and how busy."""

from __future__ import annotations

from dataclasses import dataclass

from charts_py.metrics.joins import TO_POOL_OF_NODE


@dataclass(frozen=True, slots=True)
class ExporterRows:
    """The rows of one exporter: one of each GPU, or of each part of it that counts by itself."""

    told_apart_by: str
    """The labels that no two of them have the same of."""
    rows: str
    """Each row once, with its pool, and with the pod that holds it alone."""
    active: str
    """The part of the time in which it was busy, by the same labels."""


def held_rows(rows: str, labels: str, pools: str) -> str:
    """Return rows of GPUs that a pod holds alone, or none, with their labels, pool and pod.

    `pools` are the nodes that count, each with its pool. The pod is the one that is scraped in
    `pod`, and the one that holds the GPU in `exported_pod`.
    """
    holders = (
        f"label_replace(label_replace(group by ({labels}, exported_namespace, exported_pod)"
        f' ({rows}), "namespace", "$1", "exported_namespace", "(.*)"),'
        ' "pod", "$1", "exported_pod", "(.*)")'
    )
    return f"group by ({labels}, pool, namespace, pod) ({holders} {TO_POOL_OF_NODE} ({pools}))"


def shared_rows(rows: str, labels: str, pools: str) -> str:
    """Return rows of GPUs whose pod nothing names, likewise, without a pod."""
    return f"group by ({labels}, pool) ({rows} {TO_POOL_OF_NODE} ({pools}))"
