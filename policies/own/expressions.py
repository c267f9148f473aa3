"""Evaluates CEL as the API server does, with another evaluator of CEL.

It is imported where there is something to evaluate: it takes 13 MB of memory.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from policies.document import printable
from policies.own.counted_expression import counted
from policies.own.counting_functions import CountingFunctions
from policies.own.kubernetes_functions import checked_functions, evaluated_functions
from policies.own_review import SpentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from policies.own.kubernetes_functions import Implementation
    from policies.own_review import OwnReview

OBJECT = "object"
NAMESPACE = "request.namespace"
OPERATION = "request.operation"
VARIABLES = (OBJECT, NAMESPACE, OPERATION)
"""What rules of a platform team's own may read."""


_PATTERN = "pattern"


class EvaluationError(ValueError):
    """Why an expression has no value."""


class Expressions:
    """Compiles and evaluates expressions that read variables of any type."""

    def __init__(
        self,
        variables: tuple[str, ...],
        extensions: Sequence[Any] = (),
        counted: Callable[[Implementation], Implementation] | None = None,
    ) -> None:
        from cel_expr_python import cel

        self._error = cel.Type.ERROR
        self._environment = cel.NewEnv(
            variables=dict.fromkeys(variables, cel.Type.DYN),
            extensions=[*_libraries(), evaluated_functions(counted), *extensions],
        )

    def compile(self, expression: str) -> Any:
        """Return the expression, to be evaluated."""
        return self._environment.compile(expression)

    def value(self, expression: Any, data: Mapping[str, Any]) -> Any:
        """Return the value of a compiled expression; raises EvaluationError."""
        try:
            # All that is made for a value lives as long as the variables do.
            value = expression.eval(self._environment.Activation(data))
            plain = value.plain_value()
        except Exception as error:  # what its own functions raise has other types
            raise EvaluationError(_reason(str(error))) from error
        if value.type() == self._error:
            raise EvaluationError(_reason(str(plain)))
        return plain


class OwnExpressions(Expressions):
    """Compiles and evaluates those of rules of a platform team's own, within bounds."""

    def __init__(self) -> None:
        self._counting = CountingFunctions()
        super().__init__(VARIABLES, [self._counting.extension()], self._counting.counted)

    @property
    def kept(self) -> int:
        """Bytes, about, that the evaluator keeps of what it has evaluated in this process."""
        return self._counting.kept

    def compile(self, expression: str) -> Any:
        """Return the expression, to be evaluated."""
        return self._environment.deserialize(counted(super().compile(expression).serialize()))

    def value_in(self, review: OwnReview, expression: Any, data: Mapping[str, Any]) -> Any:
        """Return the value of a compiled expression.

        Raises EvaluationError, and SpentError where it takes more than is left of the review.
        """
        review.begin()
        try:
            with self._counting.counting_to(review):
                value = self.value(expression, data)
        except EvaluationError:
            if not review.is_spent:
                raise
        # Where another operand decides, there is a value in spite of the error.
        if review.is_spent:
            raise SpentError
        return value


@cache
def own_expressions() -> OwnExpressions:
    """Return what evaluates rules of a platform team's own."""
    return OwnExpressions()


@cache
def checking_environment() -> Any:
    """Return what compiles rules of a platform team's own with the types of the API server."""
    from cel_expr_python import cel

    return cel.NewEnv(
        variables={
            OBJECT: cel.Type.DYN,
            NAMESPACE: cel.Type.STRING,
            OPERATION: cel.Type.STRING,
        },
        extensions=[*_libraries(), checked_functions()],
    )


def pattern_problem(pattern: str) -> str:
    """Return why a text is not a regular expression; empty where it is one."""
    expressions = Expressions((_PATTERN,))
    try:
        expressions.value(expressions.compile(f"''.matches({_PATTERN})"), {_PATTERN: pattern})
    except EvaluationError as error:
        return str(error)
    return ""


def _libraries() -> list[Any]:
    from cel_expr_python.ext import ext_optional, ext_strings

    return [ext_optional.ExtOptional(), ext_strings.ExtStrings()]


_MAX_REASON = 120
_KINDS = re.compile(r"^[A-Z_]+: | \[[A-Z_]+\]$")


def _reason(text: str) -> str:
    """Return what is wrong, without the evaluator's name of its kind, short and printable."""
    stated = _KINDS.sub("", text)
    return printable(stated if len(stated) <= _MAX_REASON else f"{stated[: _MAX_REASON - 3]}...")
