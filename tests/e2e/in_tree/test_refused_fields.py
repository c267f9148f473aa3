"""What the linter says that the API server refuses of fields, and what it does refuse."""

import re
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from charts_py.objects.document import Document
from gpuplane.lint.api_types import typed_objects
from policies.document import steps_of, value_at
from tests.e2e.control_plane.api_client import ApiClient, refusal
from tests.e2e.evidence.evidence import Evidence
from tests.e2e.folders import REPOSITORY

_TABLE = tomllib.loads((REPOSITORY / "gpuplane/lint/api_values.toml").read_text(encoding="utf-8"))
_REQUIRED = _TABLE.pop("required")
_OBJECTS = Path(__file__).with_name("refused_fields.yaml")
_SUPPORTED = re.compile(r'supported values: ((?:"[^"]*"(?:, )?)+)')


class Place(NamedTuple):
    document: Document
    pointer: str

    def changed(self, field: str, value: Any = None) -> Document:
        """Return the object with another value of a field there, or without it."""
        document = deepcopy(self.document)
        part: dict[str, Any] = value_at(document, steps_of(self.pointer))
        part.pop(field)
        return document if value is None else _with(document, part, field, value)


def _with(document: Document, part: dict[str, Any], field: str, value: Any) -> Document:
    part[field] = value
    return document


def _objects() -> list[Document]:
    objects: list[Document] = yaml.safe_load(_OBJECTS.read_text(encoding="utf-8"))
    return objects


def _places(type_: str, field: str) -> Iterator[Place]:
    for document in _objects():
        for one in typed_objects(document):
            if one.type == type_ and field in one.fields:
                yield Place(document, one.pointer)


@pytest.fixture(scope="module")
def values(admin: ApiClient) -> dict[tuple[str, str], str]:
    """Return what the API server says of a wrong value of each field of the table."""
    said = {}
    for type_, fields in _TABLE.items():
        for field, allowed in fields.items():
            wrong = allowed - 1 if isinstance(allowed, int) else "wrong"
            document = next(_places(type_, field)).changed(field, wrong)
            said[type_, field] = str(refusal(admin.create, document, dryRun="All") or "")
    return said


def test_the_objects_are_taken_as_they_are(admin: ApiClient) -> None:
    for document in _objects():
        assert refusal(admin.create, document, dryRun="All", fieldValidation="Strict") is None


def test_the_api_server_refuses_each_value_that_the_linter_does(
    values: dict[tuple[str, str], str], evidence: Evidence
) -> None:
    assert [place for place, said in values.items() if not said] == []
    named = {place: _SUPPORTED.search(said) for place, said in values.items()}
    lists = {place: re.findall('"([^"]*)"', found[1]) for place, found in named.items() if found}
    # An empty value is none.
    assert {place: sorted(filter(None, found)) for place, found in lists.items()} == {
        (type_, field): sorted(_TABLE[type_][field]) for type_, field in lists
    }
    evidence.show(
        "The API server refuses the values of fields that the linter does, and allows the same.",
        f"{len(values)} fields; of {len(lists)} it names what it allows itself",
    )


def test_the_api_server_requires_each_field_that_the_linter_does(
    admin: ApiClient, evidence: Evidence
) -> None:
    lacking = [
        next(_places(type_, field)).changed(field)
        for type_, fields in _REQUIRED.items()
        for field in fields
    ]
    taken = [each for each in lacking if refusal(admin.create, each, dryRun="All") is None]
    assert taken == []
    evidence.show("It requires the fields that the linter does.", f"{len(lacking)} fields")
