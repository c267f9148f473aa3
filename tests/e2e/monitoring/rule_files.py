"""The rules that a platform emits, as files that Prometheus loads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from charts_py.components.monitoring.objects import monitoring_objects
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform

RULE_KINDS = ("PrometheusRule", "Rules", "ClusterRules")
"""Of the Prometheus operator and of Google's managed collection: `spec` is a file of rules."""


def rule_objects(platform: Platform) -> Iterator[Document]:
    """Yield the objects that hold the rules of a platform's components."""
    yield from monitoring_objects((), platform.additions.rules, platform.monitoring)


def write_rule_files(documents: Iterable[Document], folder: Path) -> list[Path]:
    """Write the rules of each object into a file, as the operator does; return the files."""
    return [_write(each, folder) for each in documents if each["kind"] in RULE_KINDS]


def _write(document: Document, folder: Path) -> Path:
    metadata = document["metadata"]
    file = folder / f"{metadata.get('namespace', '')}-{metadata['name']}.yaml"
    file.write_text(to_yaml(document["spec"]), encoding="utf-8")
    return file
