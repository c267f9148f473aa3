"""All that rules of a platform team's own may call is called, and evaluated; see tests/e2e."""

from __future__ import annotations

import pytest

from policies.own.checked_expression import read_checked
from policies.own.expressions import EvaluationError, checking_environment, own_expressions
from policies.own.own_faults import FUNCTIONS, MACROS, Returns, own_faults
from policies.own.syntax_tree import Call, walk
from policies.own_review import OwnReview
from tests.policies.own.offered import ERRORS, EXPRESSIONS, OTHER_ERRORS, POD


def _value(expression: str) -> object:
    expressions = own_expressions()
    request = {"request.namespace": "own", "request.operation": "CREATE"}
    data = {"object": POD, **request}
    return expressions.value_in(OwnReview(), expressions.compile(expression), data)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_has_no_fault_and_is_true(expression: str) -> None:
    assert list(own_faults(expression, Returns.BOOL)) == []
    assert _value(expression) is True


@pytest.mark.parametrize("expression", [*ERRORS, *OTHER_ERRORS])
def test_an_error_is_found_when_it_is_evaluated(expression: str) -> None:
    assert list(own_faults(expression, Returns.BOOL)) == []
    with pytest.raises(EvaluationError):
        _value(expression)


def test_every_function_and_macro_is_called() -> None:
    compiled = [checking_environment().compile(each).serialize() for each in EXPRESSIONS]
    nodes = [node for each in compiled for node in walk(read_checked(each))]
    called = {node.function for node in nodes if isinstance(node, Call)}
    assert set(FUNCTIONS) - called == set()
    assert [name for name in MACROS if not any(f"{name}(" in each for each in EXPRESSIONS)] == []
