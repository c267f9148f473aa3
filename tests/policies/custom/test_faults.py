"""What is wrong with CEL is told; tests/charts_py/faults/checks/custom_rules.yaml has the words."""

import pytest

from policies.custom.faults import FUNCTIONS, MAX_LENGTH, Returns, faults_in

RIGHT = [
    "object.spec.containers.all(each, each.name != '' && each.image.startsWith('a/'))",
    "!has(object.spec.volumes) || object.spec.volumes.exists_one(v, v.name == 'data')",
    "size(object.spec.containers.filter(c, c.name in ['a', 'b'])) < 3",
    "object.spec.containers.map(c, c.ports[0].containerPort + 1).max() > 80",
    "object.spec.containers.map(c, c.name).indexOf('a') == -1",
    "object.metadata.?labels[?'a'].orValue('b').matches('^[a-z]+$')",
    "object.?spec.?priority.hasValue() ? object.spec.priority % 2 == 0 : false",
    "quantity(string(object.spec.a)).compareTo(quantity('1Gi')) >= 0 // a comment",
    "isQuantity(object.spec.a) && quantity(object.spec.a).asApproximateFloat() > 1.5",
    "request.namespace + request.operation == 'aCREATE'",
    "object.a.split(',').join('').lowerAscii().trim().replace('a', 'b').substring(1) == ''",
    "{'a': [1]} == {'a': [2]} && [dyn(1), dyn('a')].size() == 2",
    "[[1], []].size() == 2",
]


@pytest.mark.parametrize("expression", RIGHT)
def test_what_all_evaluate_alike_has_no_fault(expression: str) -> None:
    assert list(faults_in(expression, Returns.BOOL)) == []


def test_an_expression_has_an_end() -> None:
    (fault,) = faults_in(" " * MAX_LENGTH + "true", Returns.BOOL)
    assert fault == ("an expression of 4100 characters", "at most 4096", ())


@pytest.mark.parametrize("text", ["!" * 4000 + "true", "(" * 2000, "[" * 4000, "a." * 2000, "\x00"])
def test_what_is_nested_deeply_is_a_fault_or_none_but_never_an_error(text: str) -> None:
    assert list(faults_in(text, Returns.BOOL)) or text.startswith("!")


@pytest.mark.parametrize("name", ["url", "ip", "cidr", "semver", "sets.contains", "math.greatest"])
def test_what_is_not_offered_is_unknown(name: str) -> None:
    assert name not in FUNCTIONS
    (fault,) = faults_in(f"{name}(object.a) == object.b", Returns.BOOL)
    assert " is unknown at line 1, " in fault.what
