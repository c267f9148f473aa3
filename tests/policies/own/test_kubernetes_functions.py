"""Functions of Kubernetes return what k8s.io/apiserver v0.37.1 returns."""

from __future__ import annotations

import pytest

from policies.own.expressions import EvaluationError, own_expressions
from policies.own_review import OwnReview


def _value(expression: str) -> object:
    expressions = own_expressions()
    data = {"object": {}, "request.namespace": "", "request.operation": ""}
    return expressions.value_in(OwnReview(), expressions.compile(expression), data)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("quantity('1Gi').compareTo(quantity('1024Mi'))", 0),
        ("quantity('1').isGreaterThan(quantity('900m'))", True),
        ("quantity('1').isLessThan(quantity('900m'))", False),
        ("quantity('1500m').asApproximateFloat()", 1.5),
        ("isQuantity('1Gi')", True),
        ("isQuantity('many')", False),
        ("isQuantity(' 1')", False),
        ("[1, 2].sum()", 3),
        ("[].sum()", 0),
        ("[1.5, 2.0].max()", 2.0),
        ("['b', 'a'].min()", "a"),
        ("[1, 2].indexOf(2)", 1),
        ("[true].indexOf(1)", -1),
        ("[1].indexOf(1.0)", 0),
    ],
)
def test_a_function_has_a_value(expression: str, value: object) -> None:
    assert _value(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        "quantity('many')",
        "dyn('1Gi').isGreaterThan(quantity('1'))",
        "[].max()",
        "[dyn(1), dyn('a')].sum()",
        "[true, false].sum()",
    ],
)
def test_what_is_an_error_there_is_one_here(expression: str) -> None:
    with pytest.raises(EvaluationError):
        _value(expression)
