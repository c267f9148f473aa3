from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st

from charts_py.cluster_file.yaml_stop import MAX_DEPTH
from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.extensions.manifest_values import (
    MAX_REPEATED,
    MAX_VALUES,
    EndlessError,
    ManifestValues,
    ValueBound,
    faults_of,
)
from tests.rows import rows_beside

each_row = rows_beside(__file__, "manifest_values.yaml")

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text("ab: #~")
KEYS = st.text("abc<=", min_size=1, max_size=2) | st.integers(0, 3) | st.booleans()
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def _read(text: str) -> ManifestValues:
    loader = ManifestLoader(text)
    root = loader.get_single_node()
    assert root is not None
    return ManifestValues(loader, root, ValueBound())


@given(DOCUMENTS)
def test_they_are_what_was_written(document: Any) -> None:
    # One that stands twice is written as an anchor and an alias.
    written = yaml.safe_dump([document, document])
    assert _read(written).content == yaml.load(written, ManifestLoader)  # noqa: S506 # a safe one


@pytest.mark.parametrize(
    "text",
    [
        "{a: &x {b: 1, c: 2}, d: {<<: *x, b: 3}}",
        "{a: &x {b: 1}, c: &y {b: 2, d: 3}, e: {<<: [*x, *y], f: 4}}",
        "{a: &x {b: 1}, c: &y {<<: *x, b: 2}, d: *y, e: {<<: *y}}",
        "{a: {=: b}, 1: c, true: d, ~: e}",
        "{a: !!set {b, c}, d: !!omap [e: 1], f: !!str 1, g: !!binary aGk=}",
    ],
)
def test_they_are_what_pyyaml_constructs(text: str) -> None:
    values = _read(text)
    assert values.content == yaml.load(text, ManifestLoader)  # noqa: S506 # a safe one
    assert values.repeated_keys == []


@each_row("repeated_keys")
def test_keys_that_a_mapping_has_twice_as_it_is_written_are_known(
    text: str, repeated: list[list[object]]
) -> None:
    found = _read(text).repeated_keys
    lines = [[key.value, key.start_mark.line, again.start_mark.line] for key, again in found]
    assert lines == repeated


@pytest.mark.parametrize(
    ("text", "is_json"),
    [
        ("{a: [1, 0.5, x, ~, true]}", True),
        ("{1: a}", False),
        ("[.nan]", False),
        ("[9007199254740993]", False),
        ("!!set {a}", False),
    ],
)
def test_whether_json_has_all_is_known(text: str, *, is_json: bool) -> None:
    assert _read(text).is_json is is_json


@pytest.mark.parametrize("nested", ["[{}]", "{{<<: [{}]}}", "!!omap [a: [{}]]"])
def test_aliases_in_aliases_have_an_end(nested: str) -> None:
    levels = ["- &x0 {a: 1, b: 2}"]
    levels += [f"- &x{n} {nested.format(', '.join([f'*x{n - 1}'] * 10))}" for n in range(1, 9)]
    with pytest.raises(EndlessError, match=f"more than {MAX_VALUES} values"):
        _read("\n".join(levels))


_LONG = MAX_REPEATED // 1000


@pytest.mark.parametrize(
    "text",
    [
        f"- &x {'a' * _LONG}\n- [{', '.join(['*x'] * 1001)}]",
        f"- &x {'a' * _LONG}\n- [{', '.join(['{*x : 1}'] * 1011)}]",
        f"- &x [{'a' * _LONG}]\n- [{', '.join(['*x'] * 1001)}]",
        f"- &x {'9' * 3000}\n- [{', '.join(['*x'] * 3500)}]",
    ],
    ids=["a text", "a key", "a text in a list", "a number"],
)
def test_what_aliases_repeat_has_an_end(text: str) -> None:
    with pytest.raises(EndlessError) as caught:
        _read(text)
    assert str(caught.value) == f"aliases that repeat more than {MAX_REPEATED} characters"


def test_what_is_written_may_be_longer_than_what_aliases_repeat() -> None:
    whole = {"a": "b" * (MAX_REPEATED + 1)}
    assert _read(f"{{a: {whole['a']}}}").content == whole


@pytest.mark.parametrize("text", ["&x [*x]", "&x {a: *x}", "&x {<<: {a: *x}}", "&x {<<: [*x]}"])
def test_what_holds_itself_has_no_end(text: str) -> None:
    with pytest.raises(EndlessError, match="nested deeper than 100 levels"):
        _read(text)


@pytest.mark.parametrize("innermost", ["{a: 1}", "{<<: {}}", "{1: a}", "!!set {a}"])
def test_every_mapping_may_be_as_deep_as_any_other(innermost: str) -> None:
    _read(f"{'[' * (MAX_DEPTH - 1)}{innermost}{']' * (MAX_DEPTH - 1)}")
    with pytest.raises(EndlessError):
        _read(f"{'[' * MAX_DEPTH}{innermost}{']' * MAX_DEPTH}")


def test_mappings_of_other_keys_in_one_another_are_counted_once() -> None:
    items = ", ".join(["a"] * (MAX_VALUES // 50))
    assert _read(f"{'{1: ' * 50}[{items}]{'}' * 50}").is_json is False


@pytest.mark.parametrize("key", ["!!str [a]", "!!str {a: b}", "[a]", "{a: b}"])
def test_a_key_that_is_no_scalar_is_refused(key: str) -> None:
    with pytest.raises(yaml.constructor.ConstructorError):
        _read(f"? {key}\n: b\n")


def _config_map(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, **fields}


def _secret(**fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, **fields}


@pytest.mark.parametrize(
    "content",
    [
        _config_map(),
        _config_map(metadata={"name": "a", "namespace": "b"}),
        _config_map(
            apiVersion="rbac.authorization.k8s.io/v1",
            kind="ClusterRole",
            metadata={"name": "system:aggregate-to_view"},
        ),
        _config_map(unknown={"list": [1, 2.5, True, None, "text", 2**53]}),
        _secret(type="kubernetes.io/service-account-token"),
        _config_map(kind="SealedSecret", apiVersion="bitnami.com/v1alpha1", data={"a": "b"}),
    ],
)
def test_an_object_has_none(content: Any) -> None:
    assert list(faults_of(content)) == []


@each_row("faults")
def test_every_fault_is_named(content: Any, expected: list[str]) -> None:
    assert list(faults_of(content)) == expected
