"""What a rule reads of a pod is known where its schema is; tests/charts_py/faults has the words."""

import pytest

from policies.custom.faults import checked_tree
from policies.custom.pod_fields import FieldsRead, PodSchema, UnknownField, fields_read
from tests.policies.custom.offered import EXPRESSIONS
from upstream.compile_core import load_pod_schema

_LIMITS = "object.spec.containers.all(c, c.resources.?limits.orValue({})"
_BELOW = "isLessThan(quantity('1Gi'))"


def _read(expression: str, minor: str = "1.37") -> FieldsRead:
    tree = checked_tree(expression)
    assert tree is not None
    return fields_read(tree, PodSchema(load_pod_schema(minor)))


@pytest.mark.parametrize(
    "expression",
    [
        *(each for each in EXPRESSIONS if "object.none" not in each),
        "has(object.metadata.uid) && has(object.status.phase.any)",
        "object.metadata.labels.any == '' && object.spec.nodeSelector['any'] == ''",
        "object.metadata.labels.all(name, object.metadata.labels[name] != '')",
        f"{_LIMITS}.all(n, quantity(c.resources.limits[n]).{_BELOW}))",
        f"object.spec.volumes.all(v, quantity(v.?emptyDir.?sizeLimit.orValue('1')).{_BELOW})",
        f"object.spec.containers.map(c, c.resources.limits.cpu).all(q, quantity(q).{_BELOW})",
        f"['1', '2'].all(q, quantity(q).{_BELOW})",
        f"quantity(has(object.spec.overhead) ? object.spec.overhead.cpu : '1').{_BELOW}",
    ],
)
def test_what_a_pod_has_is_known(expression: str) -> None:
    read = _read(expression)
    assert (read.unknown, read.unbounded) == ([], [])


@pytest.mark.parametrize(
    ("expression", "unordered"),
    [
        ("object.metadata.labels.map(k, k).join(',')", ["object.metadata.labels"]),
        (
            "object.spec.containers.map(c, c.resources.limits.filter(k, k != '')[0])[0]",
            ["c.resources.limits"],
        ),
        ("{'a': 1, 'b': 2}.map(k, k).join(',')", ["(...)"]),
        ("string(size(object.metadata.labels.filter(k, k != '')))", []),
        ("object.metadata.labels.exists(k, k == 'a') ? 'a' : 'b'", []),
        ("object.spec.containers.map(c, c.name).join(',')", []),
        ("object.metadata.annotations.a.split(',').map(each, each).join(';')", []),
    ],
)
def test_a_list_of_a_map_is_in_any_order(expression: str, unordered: list[str]) -> None:
    assert _read(expression).unordered == unordered


def test_a_field_is_known_from_the_version_on_that_has_it() -> None:
    (unknown,) = _read("has(object.spec.evictionResponders)", "1.33").unknown
    assert (unknown.text, unknown.name) == ("object.spec.evictionResponders", "evictionResponders")
    assert _read("has(object.spec.evictionResponders)").unknown == []


def test_a_text_has_no_field() -> None:
    assert _read("object.spec.nodeName.a == ''") == FieldsRead(
        [UnknownField("object.spec.nodeName.a", "a", ())], [], []
    )
