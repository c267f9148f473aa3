from typing import Any

import pytest
from hypothesis import given, strategies as st

from policies.document import (
    each,
    elements,
    escaped,
    listed,
    members,
    pointer,
    shown,
    text,
    unescaped,
    value_at,
)


@given(st.text())
def test_a_name_reads_back_from_its_token(name: str) -> None:
    assert unescaped(escaped(name)) == name


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([{"a": 1}, {"a": [2], "b": 3}], [1, [2]]),
        ([{"a": 1}, {"b": 2}], [1, None]),
        ([{"a": 1}, "a", 7, None, []], [1]),
        ([], []),
    ],
)
def test_a_member_of_each_entry_that_is_an_object(entries: Any, found: Any) -> None:
    assert each(entries, "a") == found


def test_a_pointer_escapes_names() -> None:
    assert pointer("spec", 0, "nvidia.com/gpu", "a~b") == "/spec/0/nvidia.com~1gpu/a~0b"


def test_what_has_another_kind_counts_as_absent() -> None:
    assert (members([]), elements({}), text(1)) == ({}, (), "")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": 1}, "an object"),
        ([1], "an array"),
        (None, "null"),
        (True, "a boolean"),
        (8, "8"),
        ("x" * 61, "x" * 57 + "..."),
        ("a\x1b[31m\r\nb", "a\\x1b[31m\\x0d\\x0ab"),
        ("a\u202eb\u200b\u2028\xa0", r"a\xe2\x80\xaeb\xe2\x80\x8b\xe2\x80\xa8\xc2\xa0"),
        ("\x1b" * 99, "\\x1b" * 14 + "\\..."),
        ("größe", "größe"),
    ],
)
def test_a_value_is_shown_short(value: Any, said: str) -> None:
    assert shown(value) == said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a"], "a"),
        (["a", "b" * 99, "c", "d", "e", "f"], f"a, {'b' * 57}..., c, d, e, f"),
        (["a", "b", "c", "d", "e", "f", "g", "h"], "a, b, c, d, e, f and 2 more"),
    ],
)
def test_only_a_few_names_are_listed(names: list[str], said: str) -> None:
    assert listed(names) == said


@pytest.mark.parametrize(
    ("steps", "found"),
    [
        ((), {"a": [{"b/c": None}, 7]}),
        (("a", 0, "b/c"), None),
        (("a", "1"), 7),
        (("a", 2), "missing"),
        (("a", "-"), "missing"),
        (("a", "b"), "missing"),
        (("a", 1, "b"), "missing"),
        (("0",), "missing"),
    ],
)
def test_a_path_leads_to_a_value_or_nowhere(steps: tuple[str | int, ...], found: Any) -> None:
    assert value_at({"a": [{"b/c": None}, 7]}, steps, "missing") == found
