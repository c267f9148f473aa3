"""The rules that a platform emits, as files that Prometheus loads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform
from charts_py.rendering.render import render

_KINDS = ("PrometheusRule", "Rules", "ClusterRules")
"""Of the Prometheus operator and of Google's managed collection: `spec` is a file of rules."""


def rule_objects(platform: Platform) -> list[Document]:
    """Return the objects of a version that hold rules, those that the cluster itself brings too."""
    folders = render(platform).folders.values()
    return [each for folder in folders for each in folder if each["kind"] in _KINDS]


def alerting_rules(objects: Iterable[Document]) -> dict[str, dict[str, Any]]:
    """Return the rules that alert, by the name of the alert."""
    groups = (group for each in objects for group in each["spec"]["groups"])
    return {rule["alert"]: rule for group in groups for rule in group["rules"] if "alert" in rule}


def write_rule_files(objects: Iterable[Document], folder: Path) -> list[Path]:
    """Write the rules of each object into a file, as the operator does; return the files."""
    return [_write(each, folder) for each in objects]


def _write(document: Document, folder: Path) -> Path:
    metadata = document["metadata"]
    file = folder / f"{metadata.get('namespace', '')}-{metadata['name']}.yaml"
    file.write_text(to_yaml(document["spec"]), encoding="utf-8")
    return file
