"""Functions by which an expression counts what it takes; `counted_expression` has it call them.

The evaluator copies what it gives a function, and what that returns, and cel-expr-python 0.1.3
never frees the copies. What they take was measured.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from policies.own.counted_expression import INSTEAD, MADE, STEP
from policies.own.kubernetes_functions import plain, plain_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.own.kubernetes_functions import Implementation
    from policies.own_review import OwnReview

_OBJECT = 128
"""Bytes of what a function is given or returns, besides its text or its elements."""
_GIVEN_ELEMENT = 80
"""Bytes of an element of a list that a function is given, besides what it holds; of a map's key,
and of its value, the same."""
_MADE_ELEMENT = 160
"""Bytes of an element of a list that is made, given to a function that counts it, and returned."""
_COPIES_OF_TEXT = 3
"""Of a text that is made, given to a function that counts it, and returned."""
_COPIES_OF_RETURNED = 2
"""Of a text that a function returns."""


class CountingFunctions:
    """The functions, and the review that they take from in each thread."""

    kept = 0
    """Bytes, about, of the copies that the evaluator keeps of all reviews so far."""

    def __init__(self) -> None:
        self._current = threading.local()

    @contextmanager
    def counting_to(self, review: OwnReview) -> Iterator[None]:
        """Count what is evaluated in this thread to a review."""
        self._current.review = review
        try:
            yield
        finally:
            del self._current.review

    def extension(self) -> Any:
        """Return them for the evaluator."""
        from cel_expr_python import cel

        any_, text, list_ = cel.Type.DYN, cel.Type.STRING, cel.Type.LIST
        return cel.CelExtension(
            "counting",
            [
                _declared(STEP, cel.Type.BOOL, [[], [cel.Type.INT]], self._step),
                _declared(MADE, any_, [[any_]], self._made),
                _declared(INSTEAD["join"], text, [[list_], [list_, text]], self._joined),
                _declared(
                    INSTEAD["replace"],
                    text,
                    [[text] * 3, [*[text] * 3, cel.Type.INT]],
                    self._replaced,
                ),
            ],
        )

    def counted(self, implementation: Implementation) -> Implementation:
        """Return a function that counts what it is given."""

        def counting(*arguments: Any) -> Any:
            self._keep(sum(map(_given, arguments)), _OBJECT)
            return implementation(*arguments)

        return counting

    def _step(self, *gathered: int) -> bool:
        self._keep(len(gathered) * _OBJECT)
        self._current.review.step(sum(gathered))
        return True

    def _made(self, value: Any) -> Any:
        if isinstance(value, str):
            self._keep(_OBJECT + _COPIES_OF_TEXT * _length(value))
        elif isinstance(value, list):
            self._keep(_OBJECT + _MADE_ELEMENT * len(value) + 2 * sum(map(_content, value)))
        return value

    def _joined(self, values: list[Any], separator: str = "") -> str:
        texts = plain_list(values)
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("the elements of the list are not all texts")
        joined = _COPIES_OF_RETURNED * (sum(map(_length, texts)) + len(texts) * _length(separator))
        self._keep(_given(values) + _given(separator), _OBJECT + joined)
        return separator.join(texts)

    def _replaced(self, text: str, old: str, new: str, limit: int = -1) -> str:
        found = text.count(old) if limit < 0 else min(text.count(old), limit)
        replaced = _COPIES_OF_RETURNED * (_length(text) + found * _length(new))
        self._keep(sum(map(_given, (text, old, new, limit))), _OBJECT + replaced)
        return text.replace(old, new, limit)

    def _keep(self, given: int, returned: int = 0) -> None:
        """Count what a function was given and will return; raises SpentError."""
        self.kept += given
        self._current.review.make(given + returned)
        self.kept += returned


def _length(text: str) -> int:
    """Return the bytes of a text, as the evaluator has it."""
    return len(text) if text.isascii() else len(text.encode())


def _given(argument: Any) -> int:
    """Return the bytes that an argument takes."""
    return _OBJECT + _content(argument)


def _content(value: Any) -> int:
    """Return the bytes of a text, or of all that a list or a map holds, however deep it stands."""
    size, rest = 0, [value]
    while rest:
        each = plain(rest.pop())
        if isinstance(each, str):
            size += _length(each)
        elif isinstance(each, list):
            size += _GIVEN_ELEMENT * len(each)
            rest.extend(each)
        elif isinstance(each, dict):
            size += 2 * _GIVEN_ELEMENT * len(each)
            rest.extend(each)
            rest.extend(each.values())
    return size


def _declared(name: str, result: Any, parameters: list[list[Any]], implementation: Any) -> Any:
    from cel_expr_python import cel

    is_method = name in INSTEAD.values()
    return cel.FunctionDecl(
        name,
        [
            cel.Overload(f"{name}_{number}", result, each, is_method, implementation)
            for number, each in enumerate(parameters)
        ],
    )
