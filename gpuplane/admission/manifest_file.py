"""Reading the objects of a manifest file, each with the place where it stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import yaml

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from charts_py.cluster_file.yaml_fault import UNREADABLE, yaml_fault
from charts_py.cluster_file.yaml_stop import too_deep
from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.extensions.manifest_values import (
    EndlessError,
    ManifestValues,
    RepeatedKey,
    ValueBound,
    not_json,
)
from charts_py.objects.document import Document
from policies.document import steps_of

_ACTION = re.compile(rb"\{\{-?\s*(?:[.$(]|/\*|(?:end|else)\b|[a-z]\w*\s+[^}\s])")
"""Begins an action (https://pkg.go.dev/text/template#hdr-Actions), unlike the name alone that
stands in the braces of Argo Workflows."""
_TAG = re.compile(rb"\{%-?\s*[a-z]|\{\{-?\s*[\w.]+\s*\|[^}]*\}\}")
"""Begins a statement of Jinja, or is an expression with a filter
(https://jinja.palletsprojects.com/en/stable/templates/)."""
_DIRECTIVE = re.compile(rb"%\{~?\s*(?:if|for|else|end)")
"""Begins a directive (https://developer.hashicorp.com/terraform/language/expressions/strings)."""
_BARE = re.compile(
    rb"^\s*(?:- )?[\w./-]+:\s+(?P<value>\{\{\s*\w+\s*\}\}|\{\w+\}(?=[^\s,]))"
    rb"|^\s*(?P<lines>\$\{\w+\})\s*$",
    re.MULTILINE,
)
"""A value that begins with a name in braces, which YAML takes for a mapping; or a name in the place
of whole lines."""
_IDENTITY = ("apiVersion", "kind")
_METADATA = "metadata"


@dataclass(frozen=True, slots=True)
class ManifestObject:
    mark: Mark
    document: Document
    root: yaml.Node
    index: int = 0
    """Index of its document in the file; empty ones count."""

    def mark_of(self, pointer: str) -> Mark:
        """Return the line of the field that a JSON Pointer leads to, or of what should hold it."""
        return Mark(self.mark.file, _nearest(self.root, pointer).start_mark.line + 1)

    def marks_of(self, pointer: str) -> tuple[Mark, Mark]:
        """Return where the key of that field begins, and the first column behind it."""
        shown = _first_key(_nearest(self.root, pointer))
        start, end = shown.start_mark, shown.end_mark
        # A key of several lines is shown by its first character.
        width = end.column - start.column if end.line == start.line else 1
        file, line, column = self.mark.file, start.line + 1, start.column + 1
        return Mark(file, line, column), Mark(file, line, column + max(width, 1))


class TemplateEngine(StrEnum):
    HELM = "Helm"
    JINJA = "Jinja"
    TERRAFORM = "Terraform"
    OTHER = "other"
    """Whoever fills in a name in braces."""


_SIGNS = {
    TemplateEngine.HELM: _ACTION,
    TemplateEngine.JINJA: _TAG,
    TemplateEngine.TERRAFORM: _DIRECTIVE,
    TemplateEngine.OTHER: _BARE,
}


@dataclass(frozen=True, slots=True)
class TemplateFault(Fault):
    engine: TemplateEngine


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """What could be read of a file."""

    objects: tuple[ManifestObject, ...]
    faults: tuple[Fault, ...]
    """Faults of single documents; the others are read."""
    stop: Fault | None = None
    """Why reading stopped: the file is not YAML, or it is a template. None at the end."""


def read_manifest_file(source: bytes, shown_as: str) -> list[ManifestObject]:
    """Read the objects of YAML or JSON, as kubectl does; empty documents are left out.

    Raises SpecError with every fault.
    """
    read = read_manifests(source, shown_as)
    faults = [*read.faults, *([] if read.stop is None else [read.stop])]
    if faults:
        raise SpecError(faults)
    return list(read.objects)


def read_manifests(source: bytes, shown_as: str, *, objects_only: bool = False) -> ManifestFile:
    """Read the objects of YAML or JSON as far as possible.

    Documents with neither apiVersion nor kind are faults, or left out where `objects_only` is set.
    """
    if (deep := too_deep(source)) is not None:
        return ManifestFile((), (), _fault(Mark(shown_as, deep.line), str(deep)))
    loader, bound = ManifestLoader(source), ValueBound()
    found: list[ManifestObject] = []
    faults: list[Fault] = []
    index = 0
    try:
        for node in loader.nodes():
            mark = Mark(shown_as, node.start_mark.line + 1)
            content, of_document = _read(loader, node, bound, mark, objects_only=objects_only)
            faults += of_document
            if content is not None and not of_document:
                found.append(ManifestObject(mark, content, node, index))
            index += 1
            if bound.is_exceeded:
                break
    except UNREADABLE as error:
        stop = template_fault(source, shown_as) or yaml_fault(error, source, shown_as)
        return ManifestFile(tuple(found), tuple(faults), stop)
    finally:
        loader.dispose()
    return ManifestFile(tuple(found), tuple(faults))


def _read(
    loader: ManifestLoader, root: yaml.Node, bound: ValueBound, mark: Mark, *, objects_only: bool
) -> tuple[Any, list[Fault]]:
    """Return what a document holds, and what keeps it from being an object."""
    try:
        values = ManifestValues(loader, root, bound)
    except EndlessError as error:
        return None, [_fault(mark, str(error))]
    if repeated := values.repeated_keys:
        return None, [_repeated_key(each, mark.file) for each in repeated]
    if objects_only and not _is_likely(values.content):
        return None, []
    return values.content, [*_faults_of_content(values, mark)]


def _is_meant(content: object) -> bool:
    return isinstance(content, dict) and not content.keys().isdisjoint(_IDENTITY)


def _is_likely(content: object) -> bool:
    """Whether it is an object: a `Chart.yaml` has an apiVersion, and values of a chart a kind."""
    return isinstance(content, dict) and (
        content.keys() >= {*_IDENTITY} or (_is_meant(content) and _METADATA in content)
    )


def _repeated_key(key: RepeatedKey, shown_as: str) -> Fault:
    first, again = (each.start_mark.line + 1 for each in key)
    what = f'"{key.again.value}" is a duplicate key; first on line {first}'
    return _fault(Mark(shown_as, again), what)


def _faults_of_content(values: ManifestValues, mark: Mark) -> Iterator[Fault]:
    content = values.content
    if content is None:
        return
    if not _is_meant(content):
        yield _fault(mark, "not an object; allowed: a mapping with apiVersion and kind")
    else:
        for name in _IDENTITY:
            if not isinstance(content.get(name), str):
                what = "not a string" if name in content else "missing"
                yield _fault(mark, f"{name}: {what}")
    if not values.is_json:
        yield from (_fault(mark, f"{path}: {what}") for path, what in not_json(content, ""))


def _fault(mark: Mark, what: str) -> Fault:
    return Fault(mark, Problem((), what))


def template_fault(source: bytes, shown_as: str) -> TemplateFault | None:
    for engine, signs in _SIGNS.items():
        if (found := signs.search(source)) is not None:
            return _template(found, engine, source, shown_as)
    return None


def _template(
    found: re.Match[bytes], engine: TemplateEngine, source: bytes, shown_as: str
) -> TemplateFault:
    mark = Mark(shown_as, source.count(b"\n", 0, found.start()) + 1)
    allowed = "what it renders"
    if engine is TemplateEngine.HELM:
        allowed += ", as in: helm template CHART | gpuplane admit -"
    what = f"a template of {engine}, which is not a manifest"
    if engine is TemplateEngine.OTHER:
        name = found.lastgroup or ""
        what = f"the placeholder {found[name].decode(errors='replace')} is not filled in"
        allowed = "what is applied"
        mark = mark._replace(line=source.count(b"\n", 0, found.start(name)) + 1)
    return TemplateFault(mark, Problem((), what, allowed), engine)


def _nearest(root: yaml.Node, pointer: str) -> yaml.Node:
    """Return the key of the nearest field, or the nearest item, or the root."""
    node = shown = root
    for step in steps_of(pointer):
        found = _field(node, step)
        if found is None:
            break
        shown, node = found
    return shown


def _field(node: yaml.Node, step: str) -> tuple[yaml.Node, yaml.Node] | None:
    """Return the node that shows where a member stands, and the member's value."""
    if isinstance(node, yaml.MappingNode):
        # Merged members come first, and the mapping's own members override them.
        for key, value in reversed(node.value):
            if key.value == step:
                return key, value
        return None
    if isinstance(node, yaml.SequenceNode) and step.isdecimal() and int(step) < len(node.value):
        item = node.value[int(step)]
        return item, item
    return None


def _first_key(node: yaml.Node) -> yaml.Node:
    while isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        first = node.value[0]
        node = first[0] if isinstance(node, yaml.MappingNode) else first
    return node
