import sys
from typing import Any

import pytest
from hypothesis import given, strategies as st

from policies.node_terms import (
    can_meet,
    expressions,
    may_meet,
    of_pool,
    opposed,
    read_selector,
    read_terms,
)
from policies.settings import PoolSettings

MODEL, POOL, NVLINK = "gpuplane.io/gpu-model", "gpuplane.io/pool", "gpuplane.io/nvlink"
ARCH = "kubernetes.io/arch"
H100 = PoolSettings(
    "h100", "nvidia", (), cpu=1, memory=1, labels={POOL: "h100", MODEL: "h100", ARCH: "amd64"}
)
LABELS = {POOL: {"h100", "a100"}, MODEL: {"h100", "a100"}, ARCH: {"amd64", "arm64"}}
"""The values that each label has in some pool."""


@pytest.mark.parametrize(
    ("selector", "met"),
    [
        ({}, True),
        ({MODEL: "h100", POOL: "h100"}, True),
        ({MODEL: "h100", POOL: "a100"}, False),
        ({MODEL: "unknown"}, False),
        ({MODEL: ["h100"]}, False),
        ({ARCH: "amd64"}, True),
        ({ARCH: "arm64"}, False),
        ({NVLINK: "true"}, False),
        ({"topology.kubernetes.io/zone": "a"}, True),
    ],
)
def test_a_pool_may_meet_a_selector_that_names_its_labels_and_unknown_ones(
    selector: Any, met: bool
) -> None:
    assert may_meet(H100, read_selector(selector, LABELS)) is met


@pytest.mark.parametrize(
    ("key", "operator", "values", "met"),
    [
        (MODEL, "In", ["a100", "h100"], True),
        (MODEL, "In", ["a100"], False),
        (MODEL, "In", [], False),
        (MODEL, "NotIn", ["a100"], True),
        (MODEL, "NotIn", ["h100"], False),
        (MODEL, "Exists", [], True),
        (MODEL, "DoesNotExist", [], False),
        (MODEL, "Gt", ["1"], False),
        (NVLINK, "Gt", ["1"], False),
        ("zone", "Gt", ["1"], True),
        (MODEL, 1, "malformed", True),
        (NVLINK, "In", ["true"], False),
        (NVLINK, "NotIn", ["true"], True),
        (NVLINK, "Exists", [], False),
        (NVLINK, "DoesNotExist", [], True),
        ("zone", "In", ["a"], True),
        ("zone", "DoesNotExist", [], True),
    ],
)
def test_a_pool_may_meet_a_term_that_its_labels_do_not_rule_out(
    key: str, operator: Any, values: Any, met: bool
) -> None:
    expression = {"key": key, "operator": operator, "values": values}
    terms = read_terms([{"matchExpressions": [expression]}], LABELS, {})
    assert any(may_meet(H100, term) for term in terms or ()) is met


EXPRESSION = {"key": MODEL, "operator": "In", "values": ["h100", "unknown"]}
FIELD = {"key": "metadata.name", "operator": "In", "values": ["node-1"]}


@pytest.mark.parametrize(
    ("raw", "terms"),
    [
        ([], None),
        ([{}], ()),
        (["malformed", {"matchExpressions": "malformed"}], ()),
        ([{"matchFields": [FIELD]}], ((),)),
        ([{"matchExpressions": [EXPRESSION]}] * 2, (((MODEL, "In", ("h100",)),),)),
        ([{"matchExpressions": ["malformed", {"key": "zone", "operator": "Exists"}]}], ((),)),
    ],
)
def test_terms_are_read_as_far_as_pools_can_meet_them(raw: Any, terms: Any) -> None:
    assert read_terms(raw, LABELS, {}) == terms


@pytest.mark.parametrize(
    ("label", "operator", "values", "met"),
    [
        ("8", "Gt", ["7"], True),
        ("8", "Gt", ["8"], False),
        ("8", "Lt", ["9"], True),
        ("8", "Lt", ["8"], False),
        ("8", "Gt", ["-1"], False),
        ("8", "Gt", ["seven"], False),
        ("8", "Gt", ["7", "7"], False),
        ("8", "Lt", ["9" * 20], False),
        ("", "Gt", ["1"], False),
        ("", "NotIn", ["1"], True),
        ("", "In", [""], False),
        ("h100", "Gt", ["1"], False),
        ("70 to 90", "Gt", ["89"], True),
        ("70 to 90", "Gt", ["90"], False),
        ("70 to 90", "Lt", ["71"], True),
        ("70 to 90", "Lt", ["70"], False),
        ("70 to 90", "In", ["69", "91", "all"], False),
        ("70 to 90", "In", ["69", "80"], True),
        ("70 to 90", "NotIn", ["80"], True),
        ("70 to 90", "Exists", [], True),
        ("70 to 90", "DoesNotExist", [], False),
        ("a zone of us-east-1", "In", ["us-east-1b"], True),
        ("a zone of us-east-1", "DoesNotExist", [], False),
        ("a zone of us-east-1", "Gt", ["1"], True),
        ("a name like ^train-[0-9]+$", "In", ["train-7"], True),
        ("a name like ^train-[0-9]+$", "In", ["dev-7", 7, "train-" + "7" * 60], False),
        ("a name like ^train-[0-9]+$", "NotIn", ["train-7"], True),
        ("8", "unheard-of", ["8"], True),
    ],
)
def test_a_label_meets_a_requirement_as_the_scheduler_has_it(
    label: str, operator: str, values: list[Any], met: bool
) -> None:
    assert can_meet(label, operator, values) is met


def _expression(key: str, operator: str, *values: Any) -> dict[str, Any]:
    return {"key": key, "operator": operator, "values": list(values)}


@pytest.mark.parametrize(
    ("selector", "stated", "index"),
    [
        ({"zone": "a"}, [_expression("zone", "In", "a", "b")], None),
        ({"zone": "a"}, [_expression("zone", "In", "b")], 0),
        ({"zone": "a"}, [_expression("rack", "In", "b"), _expression("zone", "NotIn", "a")], 1),
        ({"zone": "a"}, [_expression("zone", "DoesNotExist")], 0),
        ({"role": ""}, [_expression("role", "Exists"), _expression("role", "In", "", "a")], None),
        ({"role": ""}, [_expression("role", "Gt", "1")], 0),
        ({"count": "8"}, [_expression("count", "Gt", "7")], None),
        ({"count": "8"}, [_expression("count", "Lt", "8")], 0),
        ({}, [_expression("zone", "NotIn", "a"), _expression("zone", "In", "a")], 0),
        ({}, [_expression("zone", "In", "a", "b"), _expression("zone", "In", "b", "c")], None),
        ({}, [_expression("zone", "In", each) for each in "ab"], 1),
        ({}, [_expression("zone", "In")], 0),
        ({}, [_expression("zone", "NotIn", "a"), _expression("zone", "DoesNotExist")], None),
        ({}, ["malformed", {"operator": 1}, _expression("zone", "unheard-of")], None),
        ({"count": "8"}, [_expression("count", "Gt", each) for each in "657"], None),
        ({"count": "8"}, [_expression("count", "Gt", each) for each in "698"], 1),
        ({"count": "8"}, [_expression("count", "Lt", each) for each in ("90", "8", "9")], 1),
        ({"count": "8"}, [_expression("count", "Gt", each) for each in ("7", "few")], 1),
    ],
)
def test_requirements_that_no_value_meets_together_oppose_each_other(
    selector: Any, stated: Any, index: int | None
) -> None:
    assert opposed(selector, expressions({"matchExpressions": stated})) == index


NUMBERS = st.sampled_from([str(number) for number in range(6)])
STATED = st.lists(
    st.one_of(
        st.tuples(st.just("a"), st.sampled_from(["In", "NotIn"]), st.lists(NUMBERS, max_size=4)),
        st.tuples(st.just("a"), st.sampled_from(["Gt", "Lt"]), NUMBERS.map(lambda bound: [bound])),
        st.tuples(st.just("a"), st.sampled_from(["Exists", "DoesNotExist"]), st.just([])),
    ),
    max_size=6,
)


@given(stated=STATED, selected=NUMBERS)
def test_what_opposes_nothing_some_value_of_the_label_meets(
    stated: list[tuple[str, str, list[str]]], selected: str
) -> None:
    met = all(can_meet(selected, operator, values) for _, operator, values in stated)
    assert (opposed({"a": selected}, stated) is None) is met


def _calls(bounds: int) -> int:
    """Return how many functions are called for a label of 1,000 values with so many bounds."""
    labels = _expression("a", "In", *map(str, range(1000)))
    above = [_expression("a", "Gt", str(bound)) for bound in range(bounds)]
    stated, calls = expressions({"matchExpressions": [labels, *above]}), list[str]()
    sys.setprofile(lambda _, event, __: calls.append(event) if event == "call" else None)
    try:
        opposed({}, stated)
    finally:
        sys.setprofile(None)
    return len(calls)


def test_the_values_of_a_label_are_not_compared_with_every_bound() -> None:
    # Compiled, none is seen.
    assert _calls(60) <= 2 * _calls(1)


def test_no_pool_meets_a_term_that_opposes_the_selector() -> None:
    named = _expression(POOL, "In", "h100")
    raw = [{"matchExpressions": [named, _expression("zone", "In", each)]} for each in "ab"]
    terms = read_terms(raw, LABELS, {"zone": "b"}) or ()
    assert [may_meet(H100, term) for term in terms] == [False, True]
    assert [of_pool(term, named=True) for term in terms] == [((POOL, "In", ("h100",)),)] * 2


def test_only_its_name_keeps_a_pool_apart_for_good() -> None:
    own = (POOL, "NotIn", ("h100",))
    others = (MODEL, "In", ("h100",)), ("nvidia.com/gpu.present", "In", ())
    assert of_pool((own, *others, ("gpuplane.io/", "Exists", ())), named=False) == (own,)


def test_only_in_names_it_for_nodes_without_labels() -> None:
    named = (POOL, "In", ("h100",))
    others = [(POOL, operator, ()) for operator in ("NotIn", "Exists", "DoesNotExist")]
    assert of_pool((named, *others), named=True) == (named,)
    assert of_pool((named, *others), named=False) == (named, *others)
    assert of_pool(((POOL, "Gt", ()), (POOL, "Lt", ())), named=False) == ()
