"""Reading the manifests that a cluster brings itself, with every fault at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from charts_py.cluster_file.cluster_files import link_problem
from charts_py.cluster_file.fault import Fault, Mark, Problem
from charts_py.cluster_file.yaml_fault import UNREADABLE, yaml_fault
from charts_py.cluster_file.yaml_stop import too_deep
from charts_py.extensions.manifest_values import (
    MAX_VALUES,
    EndlessError,
    ManifestValues,
    ValueBound,
    faults_of,
)
from charts_py.objects.document import Document, ObjectKey, key_of

_TAG = "tag:yaml.org,2002:"
_TIMESTAMP = f"{_TAG}timestamp"
_MAX_SHOWN = 20
"""Characters of a value that messages show."""
_MAX_DIGITS = 3500
"""Characters of a number. Python writes none of more than 4300 decimal digits, and where colons
divide them, the time that PyYAML takes grows as their square."""
_NUMBERS = (f"{_TAG}int", f"{_TAG}float")
_MAX_CACHED = 4096
"""Scalars whose tags are cached."""
_MAX_CACHED_LENGTH = 64
"""Characters; longer scalars are not cached, so that nobody can fill the memory with them."""
_SUFFIXES = (".yaml", ".yml")
_MAX_VALUES_OF_CHARACTER = 10
"""Values in a text that is a field; without aliases, each value has a character of its own."""


class ManifestLoader(yaml.CSafeLoader):
    """Reads YAML as kubectl does: a date stays a string."""

    yaml_implicit_resolvers = {  # noqa: RUF012 # as PyYAML declares it
        start: [(tag, pattern) for tag, pattern in resolvers if tag != _TIMESTAMP]
        for start, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
    }

    def resolve(self, kind: type[yaml.Node], value: str, implicit: tuple[bool, bool]) -> str:
        """Return the tag of a node that states none; most scalars of manifests come again."""
        if kind is yaml.ScalarNode and implicit[0] and len(value) <= _MAX_CACHED_LENGTH:
            return _tag_of_plain(value)
        # PyYAML's stubs leave it untyped.
        return str(super().resolve(kind, value, implicit))  # type: ignore[no-untyped-call]

    def nodes(self) -> Iterator[yaml.Node]:
        """Yield the root of each document."""
        while self.check_node():
            if (node := self.get_node()) is not None:
                yield node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Return the value of a node; raise ConstructorError for one that its tag does not have.

        PyYAML fails in ways of its own at `!!int ""`, `!!bool x`, `!!timestamp x`, `0x_`, and at
        more digits than Python reads.
        """
        try:
            _check_length(node)
            return super().construct_object(node, deep)
        except (ArithmeticError, ValueError, KeyError, AttributeError, IndexError) as error:
            value = str(node.value)
            shown = value if len(value) <= _MAX_SHOWN else f"{value[:_MAX_SHOWN]}..."
            what = f'"{shown}" is not a valid !!{node.tag.removeprefix(_TAG)}'
            raise yaml.constructor.ConstructorError(None, None, what, node.start_mark) from error


def _check_length(node: yaml.Node) -> None:
    if len(node.value) > _MAX_DIGITS and node.tag in _NUMBERS:
        raise ValueError


@lru_cache(maxsize=_MAX_CACHED)
def _tag_of_plain(value: str) -> str:
    starts = ManifestLoader.yaml_implicit_resolvers.get(value[:1], ())
    return next((tag for tag, pattern in starts if pattern.match(value)), f"{_TAG}str")


@dataclass(frozen=True, slots=True)
class ManifestFault:
    """What is wrong with a document, which count from 1; without one, with the file itself."""

    mark: Mark
    document: int | None
    what: str

    @property
    def fault(self) -> Fault:
        place = "" if self.document is None else f"document {self.document}: "
        return Fault(self.mark, Problem((), f"{place}{self.what}"))

    def __str__(self) -> str:
        return str(self.fault)


@dataclass(frozen=True, slots=True)
class Manifest:
    mark: Mark
    index: int
    document: Document


Read: TypeAlias = Manifest | ManifestFault


def read_manifests(folder: Path, repository: Path) -> Iterator[Read]:
    """Yield every object of the YAML files below a folder, in the order of their paths.

    `repository` is the folder, with all links resolved, that no link may lead out of.
    """
    first: dict[ObjectKey, Mark] = {}
    for file in sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES):
        if problem := _problem_of(file, repository):
            yield ManifestFault(Mark(str(file), 1), None, str(problem))
            continue
        for found in _read_file(file):
            if isinstance(found, Manifest) and (key := key_of(found.document)) in first:
                what = f"{key} is already in {first[key]}"
                yield ManifestFault(found.mark, found.index, what)
                continue
            if isinstance(found, Manifest):
                first[key_of(found.document)] = found.mark
            yield found


def _problem_of(file: Path, repository: Path) -> Problem | None:
    if problem := link_problem(file, repository):
        return problem
    # A device or a pipe may be read without end.
    return None if file.is_file() else Problem((), "is not a regular file", "a file of YAML")


def _read_file(file: Path) -> Iterator[Read]:
    source = file.read_bytes()
    if (deep := too_deep(source)) is not None:
        yield ManifestFault(Mark(str(file), deep.line), deep.document, str(deep))
        return
    loader, bound = ManifestLoader(source), ValueBound()
    index = 0
    try:
        for node in loader.nodes():
            index += 1
            mark = Mark(str(file), node.start_mark.line + 1)
            yield from _read_node(loader, node, bound, mark, index)
            if bound.is_exceeded:
                return
    except UNREADABLE as error:
        fault = yaml_fault(error, source, str(file))
        yield ManifestFault(fault.mark, index + 1, str(fault.problem))
    finally:
        loader.dispose()


def _read_node(
    loader: ManifestLoader, root: yaml.Node, bound: ValueBound, mark: Mark, index: int
) -> Iterator[Read]:
    try:
        values = ManifestValues(loader, root, bound)
    except EndlessError as error:
        yield ManifestFault(mark, index, str(error))
        return
    repeated = dict.fromkeys(each.first.value for each in values.repeated_keys)
    unread = [ManifestFault(mark, index, f'"{key}" is a duplicate key') for key in repeated]
    yield from unread or _read_document(mark, index, values.content)


def _read_document(mark: Mark, index: int, content: Any) -> Iterator[Read]:
    """Yield the object, or the items of a List; nothing for an empty document."""
    if content is None:
        return
    if _is_list(content):
        for item in content["items"]:
            yield from _read_document(mark, index, item)
        return
    faults = [ManifestFault(mark, index, what) for what in faults_of(content)]
    if faults:
        yield from faults
    else:
        yield Manifest(mark, index, content)


def _is_list(content: Any) -> bool:
    """Return whether it is a List of objects, as `kubectl get -o yaml` writes them."""
    return (
        isinstance(content, dict)
        and str(content.get("kind", "")).endswith("List")
        and isinstance(content.get("items"), list)
        and "name" not in (content.get("metadata") or {})
    )


def read_mapping(text: str) -> Mapping[str, Any]:
    """Return the mapping that a field holds as YAML; an empty one for what else it holds."""
    content = read_value(text)
    return content if isinstance(content, Mapping) else {}


def read_value(text: str) -> Any:
    """Return what a field holds as YAML.

    None for other text, and for YAML that is nested too deeply, or that aliases make much larger
    than it is.
    """
    source = text.encode(errors="backslashreplace")
    if too_deep(source) is not None:
        return None
    loader = ManifestLoader(source)
    try:
        root = loader.get_single_node()
        most = min(MAX_VALUES, _MAX_VALUES_OF_CHARACTER * len(text))
        return None if root is None else ManifestValues(loader, root, ValueBound(most)).content
    except (yaml.YAMLError, EndlessError):
        return None
    finally:
        loader.dispose()
