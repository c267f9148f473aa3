"""What components plan on clusters: each row of the tables in `planned` is a fact of one cluster.

A row is `of` a component, on the platform of an `example`, of a `sample` with pieces replaced, or
of a whole `cluster` file. What else it has is expected, under the names that `observed` knows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from charts_py.components.component import Component, HelmRelease
from charts_py.components.registry import DEFINITIONS
from charts_py.objects.document import Document, EmittedKind, key_of
from charts_py.objects.manifest_yaml import to_yaml
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith
from tests.charts_py.managed import managed

Row: TypeAlias = Mapping[str, Any]
Objects: TypeAlias = Mapping[str, Document]
BY_NAME = {definition.name: definition for definition in DEFINITIONS}
GIVEN = {"of", "example", "sample", "with", "cluster"}


def rows() -> Iterator[tuple[str, Row]]:
    """Yield each row after its fact, of which there may be several."""
    for file in sorted((Path(__file__).parent / "planned").glob("*.yaml")):
        table = yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader)
        every = table.pop("every")
        for fact, stated in table.items():
            for row in stated if isinstance(stated, list) else [stated]:
                yield f"{file.stem}: {fact}", {**every, **row}


ROWS = tuple(rows())


@pytest.mark.parametrize("row", [row for _, row in ROWS], ids=[fact for fact, _ in ROWS])
def test_a_component_plans(
    row: Row, example: Load, platform_of: Load, platform_after: PlatformWith, rendered: DocumentsOf
) -> None:
    if "sample" in row:
        platform = platform_after(row["sample"], *map(tuple, row.get("with", ())))
    elif "cluster" in row:
        platform = platform_of(to_yaml(row["cluster"]))
    else:
        platform = example(row["example"])
    planned = [*BY_NAME[row["of"]].plan(platform)]
    expected = {name: stated for name, stated in row.items() if name not in GIVEN}
    found = {name: observed(name, planned, each, rendered) for name, each in expected.items()}
    assert expected
    assert found == expected


def observed(name: str, planned: list[Component], stated: Any, rendered: DocumentsOf) -> Any:
    """Return what is expected under a name, as it is."""
    if name == "plans":
        return [[each.name, each.wave.name, each.namespace] for each in planned]
    if name in OF_RELEASE:
        (helm,) = (each.helm for each in planned if each.helm is not None)
        return OF_RELEASE[name](helm, stated)
    if name == "charted":
        releases = (rendered(each) for each in planned if each.helm is not None)
        return _fields(by_key(each for documents in releases for each in documents), stated)
    own = (each.objects() for each in planned if each.objects is not None)
    return OF_OBJECTS[name](by_key(each for documents in own for each in documents), stated)


def by_key(documents: Iterable[Document]) -> Objects:
    """Return objects without what their keys say, and without the label that each of them has."""
    return {str(key_of(each)): _rest(each) for each in documents}


def _rest(document: Document) -> Document:
    metadata, key = document["metadata"], key_of(document)
    usual = managed(key.name, key.namespace or None)
    left = {name: each for name, each in document.items() if name not in ("kind", "metadata")}
    return left if metadata == usual else {**left, "metadata": metadata}


def _fields(
    objects: Objects, expected: Mapping[str, Mapping[str, Any] | None]
) -> dict[str, dict[str, Any] | None]:
    return {
        key: {path: at(objects[key], path) for path in paths or ()} if key in objects else None
        for key, paths in expected.items()
    }


def _named(kind: EmittedKind) -> str:
    return f"{kind.kind}.{kind.group}"


def at(value: Any, path: str) -> Any:
    """Return what stands at a path, as `spec.containers.0.image`; None where nothing does.

    The rest of a path may be one key, as the name of a label is.
    """
    if isinstance(value, Mapping) and path in value:
        return value[path]
    step, _, rest = path.partition(".")
    if isinstance(value, Mapping):
        inner = value.get(step)
    else:
        inner = value[int(step)] if isinstance(value, list) else None
    return at(inner, rest) if rest else inner


OF_RELEASE: Mapping[str, Callable[[HelmRelease, Any], Any]] = {
    "chart": lambda helm, _: [helm.repository, helm.chart, helm.version],
    "kinds": lambda helm, names: {name: name in map(_named, helm.kinds) for name in names},
    "values": lambda helm, _: helm.values,
    "of_values": lambda helm, paths: {path: at(helm.values, path) for path in paths},
}
OF_OBJECTS: Mapping[str, Callable[[Objects, Any], Any]] = {
    "keys": lambda objects, _: list(objects),
    "objects": lambda objects, _: objects,
    "has": lambda objects, keys: {key: objects.get(key) for key in keys},
    "fields": _fields,
}
