"""CEL has the value that k8s.io/apiserver v0.37.1 gives it; tests/e2e compares the two."""

import pytest

from policies.custom.expressions import EvaluationError, checking_environment, expressions
from policies.custom.faults import FUNCTIONS, MACROS, Returns, faults_in
from policies.custom.tree import Call, read_tree, walk
from policies.document import Document
from tests.policies.custom.offered import ERRORS, EXPRESSIONS, OTHER_ERRORS, POD


def _value(expression: str, pod: Document = POD) -> object:
    request = {"request.namespace": "own", "request.operation": "CREATE"}
    return expressions().value(expressions().compile(expression), {"object": pod, **request})


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_expression_has_no_fault_and_is_true(expression: str) -> None:
    assert list(faults_in(expression, Returns.BOOL)) == []
    assert _value(expression) is True


@pytest.mark.parametrize("expression", [*ERRORS, *OTHER_ERRORS])
def test_an_error_is_found_when_it_is_evaluated(expression: str) -> None:
    assert list(faults_in(expression, Returns.BOOL)) == []
    with pytest.raises(EvaluationError):
        _value(expression)


def test_every_function_and_macro_is_called() -> None:
    compiled = [checking_environment().compile(each).serialize() for each in EXPRESSIONS]
    nodes = [node for each in compiled for node in walk(read_tree(each))]
    called = {node.function for node in nodes if isinstance(node, Call)}
    assert set(FUNCTIONS) - called == set()
    assert [name for name in MACROS if not any(f"{name}(" in each for each in EXPRESSIONS)] == []


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
    assert _value(expression, {}) == value


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
        _value(expression, {})
