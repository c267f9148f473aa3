"""The rules that a platform emits, as files that Prometheus loads; platforms that have all on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from pathlib import Path
from typing import Any

from charts_py.constructs.render import render
from charts_py.load import load_platform
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.platform import Platform
from tests.charts_py.metrics.promql import read_metrics

_FOLDER = Path(__file__).parent / "clusters"
MONITORED = tuple(sorted(file.stem for file in _FOLDER.glob("*.yaml")))
"""Their names."""
_KINDS = ("PrometheusRule", "Rules", "ClusterRules")
"""Of the Prometheus operator and of Google's managed collection: `spec` is a file of rules."""


def rule_objects(platform: Platform) -> list[Document]:
    """Return the objects of a version that hold rules, those that the cluster itself brings too."""
    folders = render(platform).folders.values()
    return [each for folder in folders for each in folder if each["kind"] in _KINDS]


def alerting_rules(objects: Iterable[Document]) -> dict[str, dict[str, Any]]:
    return {rule["alert"]: rule for rule in _rules(objects) if "alert" in rule}


def rules_behind(alert: str, objects: Sequence[Document]) -> list[Document]:
    """Return the objects with no other rules than an alert and what it reads of other rules."""
    read = {alert}
    while found := _read_by(read, objects) - read:
        read |= found
    return [{**each, "spec": {"groups": _groups(each, read)}} for each in objects]


def write_rule_files(objects: Iterable[Document], folder: Path) -> list[Path]:
    """Write the rules of each object into a file, as the operator does; return the files."""
    return [_write(each, folder) for each in objects]


def _write(document: Document, folder: Path) -> Path:
    metadata = document["metadata"]
    file = folder / f"{metadata.get('namespace', '')}-{metadata['name']}.yaml"
    file.write_text(to_yaml(document["spec"]), encoding="utf-8")
    return file


def _rules(objects: Iterable[Document]) -> Iterator[dict[str, Any]]:
    for each in objects:
        yield from (rule for group in each["spec"]["groups"] for rule in group["rules"])


def _read_by(names: Set[str], objects: Iterable[Document]) -> set[str]:
    """Return the metrics that the rules of some names read."""
    read = (read_metrics(rule["expr"]) for rule in _rules(objects) if _name(rule) in names)
    return set().union(*read)


def _groups(document: Document, names: Set[str]) -> list[dict[str, Any]]:
    """Return the groups of an object with the rules of some names; those without any are gone."""
    groups = (
        {**group, "rules": [rule for rule in group["rules"] if _name(rule) in names]}
        for group in document["spec"]["groups"]
    )
    return [group for group in groups if group["rules"]]


def _name(rule: Mapping[str, Any]) -> str:
    name: str = rule.get("alert") or rule["record"]
    return name


@cache
def monitored_platform(name: str) -> Platform:
    """Return one by its name; each stands by itself, without a fleet."""
    return load_platform(_FOLDER / f"{name}.yaml", None)
