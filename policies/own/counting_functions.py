"""Functions by which an expression counts what it takes; `counted_expression` has it call them."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from policies.own.counted_expression import INSTEAD, MADE, STEP
from policies.own.kubernetes_functions import plain, plain_list
from policies.own_review import ELEMENT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policies.own_review import OwnReview


class CountingFunctions:
    """The functions, and the review that they take from in each thread."""

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

    def _step(self, gathered: int = 0) -> bool:
        self._current.review.step(gathered)
        return True

    def _made(self, value: Any) -> Any:
        if isinstance(value, str):
            self._current.review.make(len(value))
        elif isinstance(value, list):
            self._current.review.make(sum(ELEMENT + len(text) for text in _texts(value)))
        return value

    def _joined(self, values: list[Any], separator: str = "") -> str:
        texts = plain_list(values)
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("the elements of the list are not all texts")
        self._current.review.make(sum(len(text) + len(separator) for text in texts))
        return separator.join(texts)

    def _replaced(self, text: str, old: str, new: str, limit: int = -1) -> str:
        found = text.count(old) if limit < 0 else min(text.count(old), limit)
        self._current.review.make(len(text) + found * len(new))
        return text.replace(old, new, limit)


def _texts(values: list[Any]) -> Iterator[str]:
    """Yield the texts among the elements, and an empty one for each other."""
    for value in values:
        is_text = isinstance(value, str) or (
            hasattr(value, "type") and value.type().name() == "STRING"
        )
        yield plain(value) if is_text else ""


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
