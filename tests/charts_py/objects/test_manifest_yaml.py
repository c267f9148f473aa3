import io
from typing import Any

import pytest
import yaml
from hypothesis import given, strategies as st
from ruamel.yaml import YAML

from charts_py.cluster_file.yaml_stop import MAX_DEPTH
from charts_py.objects.document import ObjectKey
from charts_py.objects.manifest_yaml import (
    LIKE_ANOTHER_TYPE,
    ManifestError,
    ManifestReader,
    from_yaml,
    to_yaml,
)
from tests.rows import rows_beside

each_row = rows_beside(__file__, "manifest_yaml.yaml")

_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=20)
_LIKE_NUMBERS = st.from_regex(r"[-+]?[0-9._oxXbeE+-]{1,8}", fullmatch=True)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | _TEXT | _LIKE_NUMBERS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=12,
)


class _Dumper(yaml.CSafeDumper):
    """Writes as PyYAML does, but for anchors and for how strings are quoted."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 # the signature is PyYAML's
        return True


def _represent_text(dumper: yaml.CSafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text and not text.isspace() else None
    if style is None and LIKE_ANOTHER_TYPE.match(text):
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent_text)
_ANY_TEXT = st.text(st.characters(codec="utf-8"), max_size=20) | _LIKE_NUMBERS
_ANY_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.dates() | _ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(_ANY_TEXT, _ANY_VALUES, max_size=5))
def test_it_is_what_pyyaml_writes(document: dict[str, Any]) -> None:
    assert to_yaml(document) == yaml.dump(
        document,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=True,
        default_flow_style=False,
        width=2**16,
    )


def _as_yaml_1_2(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(io.StringIO(text))


@given(st.dictionaries(_TEXT, _VALUES, max_size=5))
def test_a_document_reads_as_it_was_written_under_yaml_1_1_and_1_2(
    document: dict[str, Any],
) -> None:
    text = to_yaml(document)
    assert yaml.safe_load(text) == document
    assert _as_yaml_1_2(text) == document


@each_row("quoted")
def test_text_that_looks_like_something_else_is_quoted(text: str) -> None:
    assert to_yaml({"value": text}) == f"value: '{text}'\n"


def test_several_lines_are_written_as_a_block() -> None:
    assert to_yaml({"data": {"config.yaml": "version: v1\nflags: {}\n"}}) == (
        "data:\n  config.yaml: |\n    version: v1\n    flags: {}\n"
    )


def test_a_value_that_occurs_twice_is_written_twice() -> None:
    labels = {"app": "x"}
    assert to_yaml({"a": labels, "b": labels}) == "a:\n  app: x\nb:\n  app: x\n"


def test_empty_documents_are_left_out() -> None:
    assert from_yaml("---\na: 1\n---\n---\nb: 2\n") == [{"a": 1}, {"b": 2}]


def test_what_is_like_an_anchor_within_a_text_is_read() -> None:
    text = "apiVersion: v1\nkind: A\nmetadata: {name: b&c}\nd: '&e *f'\n"
    document = {"apiVersion": "v1", "kind": "A", "metadata": {"name": "b&c"}, "d": "&e *f"}
    read = ManifestReader().read({"a/b.yaml": text.encode()})
    assert read == {"a/b.yaml": [(ObjectKey("", "A", "", "b&c"), document)]}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a: &x b\n", "line 1 has the anchor x"),
        ("a: b\nc: &x [*x, *x]\n", "line 2 has the anchor x"),
        ("a: &x {<<: {}}\n", "line 1 has the anchor x"),
        (f"\ufeff{'- ' * 200_000}a\n", f"it is nested deeper than {MAX_DEPTH} levels"),
    ],
    ids=["an anchor", "a recursive anchor", "an anchor of a merge key", "depth"],
)
def test_files_that_were_not_written_here_are_refused_before_they_are_read(
    text: str, why: str
) -> None:
    with pytest.raises(ManifestError) as caught:
        ManifestReader().read({"a/b.yaml": text.encode()})
    assert (caught.value.path, str(caught.value)) == ("a/b.yaml", f"not a Kubernetes object: {why}")
