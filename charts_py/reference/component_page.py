"""The reference of the components: what each is for, and what it emits for the example clusters."""

import inspect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from constructs import Construct

import charts_py
from charts_py.argocd import applications
from charts_py.components.component import Component
from charts_py.components.registry import PLANS
from charts_py.load import load_platforms
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.rendering.render import render
from charts_py.spec.cluster_files import find_cluster_files

_INTRODUCTION = """\
# Components

Each component is a folder of `dist/<cluster>/<version>/`, or a pinned Helm chart, and an Argo CD
Application of its own. Argo CD syncs them wave by wave: one starts once the wave before is
healthy. The tables show what stands in `dist/` for the example clusters.
"""


@dataclass(frozen=True, slots=True)
class _Emitted:
    """What one component emits for one example cluster."""

    cluster: str
    component: str
    wave: str
    parts: tuple[str, ...]

    def row(self) -> str:
        """Return the row of the table."""
        return f"| {self.cluster} | `{self.component}` | {self.wave} | {', '.join(self.parts)} |"


def component_reference(clusters: Path) -> str:
    """Return the reference as Markdown, with the clusters of a folder as examples."""
    emitted: dict[str, list[_Emitted]] = defaultdict(list)
    for platform in load_platforms(find_cluster_files(clusters)):
        for module, one in _emitted(platform):
            emitted[module].append(one)
    modules = [*(plan.__module__ for plan in PLANS), applications.__name__]
    sections = (_section(import_module(name), emitted[name]) for name in modules)
    return "\n".join([_INTRODUCTION, *sections])


def _emitted(platform: Platform) -> Iterator[tuple[str, _Emitted]]:
    """Yield what each component of a platform emits, with the module that plans it."""
    folders = render(platform).folders
    for plan in PLANS:
        for component in plan(platform):
            documents = folders.get(component.name, ())
            wave = str(component.wave.value) if component.is_synced else "not synced"
            parts = (*_chart(component), *_counted(documents))
            yield plan.__module__, _Emitted(platform.name, component.name, wave, parts)
    own = _Emitted(platform.name, applications.NAME, "first", _counted(folders[applications.NAME]))
    yield applications.__name__, own


def _chart(component: Component) -> Iterator[str]:
    if component.helm is not None:
        yield f"Helm chart `{component.helm.chart}` {component.helm.version}"


def _counted(documents: tuple[Document, ...]) -> tuple[str, ...]:
    kinds = Counter(document["kind"] for document in documents)
    return tuple(f"{count} {kind}" for kind, count in sorted(kinds.items()))


def _section(module: ModuleType, emitted: Iterable[_Emitted]) -> str:
    title = module.__name__.rpartition(".")[2].replace("_", "-")
    lines = [f"## {title}", "", inspect.cleandoc(module.__doc__ or ""), ""]
    constructs = [f"- `{name}`: {words}" for name, words in _constructs(module)]
    rows = [one.row() for one in emitted]
    if constructs:
        lines += [*constructs, ""]
    if rows:
        lines += ["| Cluster | Component | Wave | Emits |", "|---|---|---|---|", *rows, ""]
    return "\n".join(lines)


def _constructs(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield the name and the description of each construct of ours that a module uses, sorted."""
    used = [member for member in vars(module).values() if inspect.ismodule(member)]
    members = (member for one in (module, *used) for member in vars(one).values())
    found = {member for member in members if inspect.isclass(member)}
    for member in sorted(filter(_is_ours, found), key=lambda member: member.__name__):
        yield member.__name__, " ".join((member.__doc__ or "").split())


def _is_ours(member: type) -> bool:
    """Tell whether a class is a construct of this package, and none of cdk8s."""
    return issubclass(member, Construct) and member.__module__.startswith(f"{charts_py.__name__}.")
