import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from charts_py.cluster_file.fault import Fault, FieldPath, SpecError
from charts_py.cluster_file.field_schema import schema_at
from charts_py.cluster_file.parse import Parsed, parse, placeholder_at, placeholders
from charts_py.cluster_file.source import read_source
from charts_py.cluster_file.translation import ANY
from charts_py.load import load_platform
from policies.document import value_at

SAMPLES = {
    file.stem: read_source(file, file.name).content or {}
    for file in sorted((Path(__file__).parents[1] / "samples").glob("*.yaml"))
}

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from([*(schema_at(()) or {})["properties"], "other"])


def paths(value: Any, path: FieldPath = ()) -> Iterator[FieldPath]:
    """Yield the paths of everything below the root."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for step, inner in items:
        yield (*path, step)
        yield from paths(inner, (*path, step))


def is_placed(path: FieldPath, content: Any) -> bool:
    """Tell whether a path leads to something, or what should hold it is there."""
    known = {(), *paths(content)}
    return path in known or path[:-1] in known


def faults_in(file: Path) -> tuple[Fault, ...]:
    """Return the faults of a file; whatever else is raised fails the test."""
    try:
        load_platform(file, None)
    except SpecError as error:
        return error.faults
    return ()


PATHS = [(name, path) for name, content in SAMPLES.items() for path in paths(content)]
REQUIRED = [
    (name, (*path, field))
    for name, content in SAMPLES.items()
    for path in ((), *paths(content))
    if isinstance(value_at(content, path), dict)
    for field in (schema_at(path) or {}).get("required", ())
]
MAPPINGS = [
    (name, path)
    for name, content in SAMPLES.items()
    for path in ((), *paths(content))
    if "properties" in (schema_at(path) or {})
]


@given(st.dictionaries(FIELDS, VALUES, max_size=6))
def test_any_content_is_read_to_its_end(content: dict[str, Any]) -> None:
    parsed = parse(content)
    assert parsed.problems
    assert all(is_placed(problem.path, content) for problem in parsed.problems)


@given(st.sampled_from(PATHS), VALUES)
def test_any_value_in_any_place_is_read_to_its_end(
    place: tuple[str, FieldPath], value: object
) -> None:
    name, path = place
    content = copy.deepcopy(SAMPLES[name])
    value_at(content, path[:-1])[path[-1]] = value
    assert all(is_placed(problem.path, content) for problem in parse(content).problems)


@given(st.data())
def test_several_faults_are_read_to_their_end_and_the_same_each_time(data: st.DataObject) -> None:
    content: Any = copy.deepcopy(data.draw(st.sampled_from(list(SAMPLES.values()))))
    for _ in range(data.draw(st.integers(1, 4))):
        path = data.draw(st.sampled_from(list(paths(content))))
        holder = value_at(content, path[:-1])
        value = holder.pop(path[-1])
        if isinstance(holder, dict):
            holder.update(data.draw(st.dictionaries(st.text(max_size=4), st.just(value))))
    before = copy.deepcopy(content)
    parsed = parse(content)
    assert all(is_placed(problem.path, content) for problem in parsed.problems)
    assert (parse(content), content) == (parsed, before)


@given(st.sampled_from(REQUIRED))
def test_a_required_field_that_is_removed_is_the_one_fault(place: tuple[str, FieldPath]) -> None:
    name, path = place
    content = copy.deepcopy(SAMPLES[name])
    del value_at(content, path[:-1])[path[-1]]
    assert [(problem.path, problem.what) for problem in parse(content).problems] == [
        (path, "missing")
    ]


@given(st.sampled_from(MAPPINGS), st.text(st.characters(categories=["Ll"]), min_size=15))
def test_an_unknown_field_is_the_one_fault(place: tuple[str, FieldPath], field: str) -> None:
    name, path = place
    content = copy.deepcopy(SAMPLES[name])
    value_at(content, path)[field] = 1
    assert [(problem.path, problem.what) for problem in parse(content).problems] == [
        ((*path, field), f'unknown field "{field}"')
    ]


@given(place=st.sampled_from(PATHS), value=VALUES)
def test_every_fault_has_a_line_and_nothing_else_is_raised(
    tmp_path_factory: pytest.TempPathFactory, place: tuple[str, FieldPath], value: object
) -> None:
    name, path = place
    content = copy.deepcopy(SAMPLES[name])
    value_at(content, path[:-1])[path[-1]] = value
    file = tmp_path_factory.mktemp("clusters") / "sample.yaml"
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    assert all(fault.mark.line >= 1 for fault in faults_in(file))


@pytest.mark.parametrize("content", SAMPLES.values(), ids=SAMPLES)
def test_what_has_no_fault_is_read_whole(content: dict[str, Any]) -> None:
    parsed = parse(content)
    assert (parsed.problems, parsed.cut) == ((), frozenset())


def test_the_rest_is_read_where_a_part_is_wrong() -> None:
    content = copy.deepcopy(SAMPLES["eks"])
    value_at(content, ("pools", "h100"))["nodes"] = "many"
    value_at(content, ("priorities",))["training"] = 5
    del value_at(content, ())["version"]
    parsed: Parsed = parse(content)
    assert parsed.cut == {("pools", "h100", "nodes"), ("priorities", "training"), ("version",)}
    assert set(parsed.cluster.pools) == {"h100", "a100-mig", "a10g"}
    assert set(parsed.cluster.priorities) == {"system", "batch"}


def test_where_a_field_has_moved_to_nothing_is_known() -> None:
    parsed = parse({**SAMPLES["gke"], "networkPolicyEngine": "calico"})
    assert parsed.cut == {("networkPolicyEngine",), ("network", "policyEngine")}


def concrete(pattern: FieldPath) -> FieldPath:
    """Return a path that a pattern stands for."""
    path: FieldPath = ()
    for step in pattern:
        is_list = (schema_at(path) or {}).get("type") == "array"
        path = (*path, (0 if is_list else "any") if step == ANY else step)
    return path


@pytest.mark.parametrize("pattern", placeholders(), ids=lambda pattern: ".".join(map(str, pattern)))
def test_a_placeholder_is_for_a_field_of_the_model(pattern: FieldPath) -> None:
    assert schema_at(concrete(pattern)) is not None
    assert placeholder_at(concrete(pattern)) == placeholders()[pattern]


def test_all_placeholders_together_are_a_cluster() -> None:
    content = {str(path[0]): placeholder_at(path) for path in placeholders() if len(path) == 1}
    team = {
        str(path[2]): value for path, value in placeholders().items() if path[:-1] == ("teams", ANY)
    }
    exception = placeholder_at(("policies", "exceptions", 0))
    extra = {"teams": {"any": team}, "policies": {"exceptions": [exception]}}
    assert parse({**content, **extra}).problems == ()


def test_every_required_field_of_the_root_has_one_so_that_reading_ends() -> None:
    required = (schema_at(()) or {})["required"]
    assert [name for name in required if placeholder_at((name,)) is None] == []


def test_what_may_be_absent_has_none() -> None:
    assert placeholder_at(("pools", "any", "sharing")) is None
