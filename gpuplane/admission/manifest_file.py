"""Reading the objects of a manifest file, each with its line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from charts_py.cluster_file.fault import Fault, Mark, Problem, SpecError
from charts_py.cluster_file.yaml_depth import too_deep
from charts_py.cluster_file.yaml_fault import UNREADABLE, yaml_fault
from charts_py.extensions.manifest_faults import not_json
from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.extensions.manifest_values import EndlessError, ManifestValues, RepeatedKey
from charts_py.objects.document import Document
from gpuplane.admission.manifest_lines import Span, line_of, span_of
from gpuplane.admission.template_fault import template_fault

_IDENTITY = ("apiVersion", "kind")


@dataclass(frozen=True, slots=True)
class ManifestObject:
    """An object, the line on which it begins, and those of its fields."""

    mark: Mark
    document: Document
    root: yaml.Node
    """As it is written."""
    index: int = 0
    """Of its document in the file, empty ones counted."""

    def mark_of(self, pointer: str) -> Mark:
        """Return the line of the field that a JSON Pointer leads to, or of what should hold it."""
        return Mark(self.mark.file, line_of(self.root, pointer))

    def span_of(self, pointer: str) -> Span:
        """Return where the key of that field stands."""
        return span_of(self.root, pointer)


@dataclass(frozen=True, slots=True)
class ManifestFile:
    """What could be read of a file."""

    objects: tuple[ManifestObject, ...]
    faults: tuple[Fault, ...]
    """Of single documents; the others are read."""
    stop: Fault | None = None
    """Where reading stopped, since the file is no YAML, or a template of some; None at the end."""


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
    """Read the objects of YAML or JSON as far as it can be read.

    Documents with neither apiVersion nor kind are faults, or left out where `objects_only` is set.
    """
    if (deep := too_deep(source)) is not None:
        return ManifestFile((), (), _fault(Mark(shown_as, deep.line), str(deep)))
    loader = ManifestLoader(source)
    found: list[ManifestObject] = []
    faults: list[Fault] = []
    index = 0
    try:
        while (node := loader.get_node() if loader.check_node() else None) is not None:
            mark = Mark(shown_as, node.start_mark.line + 1)
            content, of_document = _read(loader, node, mark, objects_only=objects_only)
            faults += of_document
            if content is not None and not of_document:
                found.append(ManifestObject(mark, content, node, index))
            index += 1
    except UNREADABLE as error:
        stop = template_fault(source, shown_as) or yaml_fault(error, source, shown_as)
        return ManifestFile(tuple(found), tuple(faults), stop)
    finally:
        loader.dispose()
    return ManifestFile(tuple(found), tuple(faults))


def _is_meant(content: object) -> bool:
    return isinstance(content, dict) and not content.keys().isdisjoint(_IDENTITY)


def _read(
    loader: ManifestLoader, root: yaml.Node, mark: Mark, *, objects_only: bool
) -> tuple[Any, list[Fault]]:
    """Return what a document holds, and what keeps it from being an object."""
    try:
        values = ManifestValues(loader, root)
    except EndlessError as error:
        return None, [_fault(mark, str(error))]
    if repeated := values.repeated_keys:
        return None, [_repeated_key(each, mark.file) for each in repeated]
    if objects_only and not _is_meant(values.content):
        return None, []
    return values.content, [*_faults_of_content(values, mark)]


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
