"""What the evaluator keeps, as it was measured."""

from __future__ import annotations

import pytest

from policies.own.expressions import OBJECT, own_expressions
from policies.own_review import OwnReview, SpentError

DATA = {OBJECT: {"text": "a" * 1000, "list": ["a"] * 10}}


@pytest.mark.parametrize(
    ("expression", "kept"),
    [
        ("object.text.contains('b')", 0),
        ("object.list.all(each, each != 'b')", 0),
        ("object.list.map(each, each).size() == 10", 10 * 128),
        ("object.text.upperAscii() != ''", 128 + 3 * 1000),
        ("isQuantity(object.text)", 2 * 128 + 1000),
        ("object.list.indexOf('a') == 0", 3 * 128 + 10 * 81 + 1),
        ("object.list.join() != ''", 3 * 128 + 10 * 81 + 2 * 10),
        ("object.text.replace('a', 'b') != ''", 5 * 128 + 1002 + 4000),
    ],
)
def test_what_functions_are_given_and_return_is_kept(expression: str, kept: int) -> None:
    expressions = own_expressions()
    before = expressions.kept
    expressions.value_in(OwnReview(), expressions.compile(expression), DATA)
    assert expressions.kept - before == kept


def test_what_is_too_long_to_be_returned_is_not_kept() -> None:
    expressions = own_expressions()
    before = expressions.kept
    expression = expressions.compile("object.text.replace('a', object.text) != ''")
    with pytest.raises(SpentError):
        expressions.value_in(OwnReview(10_000), expression, DATA)
    assert expressions.kept - before == 4 * 128 + 2001
