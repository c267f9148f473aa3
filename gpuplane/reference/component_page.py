"""The reference of the components: what each is for, and what it emits for the example clusters."""

import inspect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from charts_py.argocd import applications
from charts_py.argocd.application import NAME as ARGOCD_FOLDER
from charts_py.cluster_file.cluster_files import find_cluster_files
from charts_py.components.component import Component
from charts_py.components.definition import Definition
from charts_py.components.registry import DEFINITIONS
from charts_py.constructs.render import render
from charts_py.load import load_platforms
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.reference import introduction, quoted


def component_reference(clusters: Path) -> str:
    rows: dict[str, list[str]] = defaultdict(list)
    for platform in load_platforms(find_cluster_files(clusters)):
        for name, row in _rows(platform):
            rows[name].append(row)
    sections = [_section(definition, rows[definition.name]) for definition in DEFINITIONS]
    sections.append(_titled(ARGOCD_FOLDER, applications.__doc__, (), rows[ARGOCD_FOLDER]))
    return "\n".join([introduction("components"), *sections])


def _rows(platform: Platform) -> Iterator[tuple[str, str]]:
    """Yield what each component emits for a cluster, by the section that shows it."""
    folders = render(platform).folders
    for definition in DEFINITIONS:
        for component in definition.plan(platform):
            documents = folders.get(component.name, ())
            wave = str(component.wave.value) if component.is_synced else "not synced"
            parts = ", ".join((*_chart(component), *_counted(documents)))
            yield definition.name, f"| {platform.name} | `{component.name}` | {wave} | {parts} |"
    own = ", ".join(_counted(folders[ARGOCD_FOLDER]))
    yield ARGOCD_FOLDER, f"| {platform.name} | `{ARGOCD_FOLDER}` | first | {own} |"


def _chart(component: Component) -> Iterator[str]:
    if component.helm is not None:
        yield f"Helm chart `{component.helm.chart}` {component.helm.version}"
    if component.manifests is not None:
        pinned = component.manifests.pinned
        yield f"{len(component.manifests.files)} files of `{pinned.repository}` {pinned.version}"


def _counted(documents: tuple[Document, ...]) -> tuple[str, ...]:
    kinds = Counter(document["kind"] for document in documents)
    return tuple(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def _section(definition: Definition, rows: Sequence[str]) -> str:
    facts = [f"- Appears: {definition.appears}."]
    if definition.steered_by:
        facts.append(f"- Configured by: {quoted(definition.steered_by)}.")
    if definition.synced_after:
        facts.append(f"- Synced after: {quoted(definition.synced_after)}.")
    return _titled(definition.name, definition.description, facts, rows)


def _titled(name: str, description: str | None, facts: Sequence[str], rows: Sequence[str]) -> str:
    lines = [f"## {name}", "", inspect.cleandoc(description or ""), ""]
    if facts:
        lines += [*facts, ""]
    if rows:
        lines += ["| Cluster | Component | Wave | Emits |", "|---|---|---|---|", *rows, ""]
    return "\n".join(lines)
