from typing import Any

import pytest

from policies.node_terms import may_meet, of_pool, read_selector, read_terms
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
        (MODEL, "Gt", ["1"], True),
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
    terms = read_terms([{"matchExpressions": [expression]}], LABELS)
    assert terms is not None
    assert [may_meet(H100, term) for term in terms] == [met]


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
    assert read_terms(raw, LABELS) == terms


def test_only_its_name_keeps_a_pool_apart_for_good() -> None:
    own = (POOL, "NotIn", ("h100",))
    others = (MODEL, "In", ("h100",)), ("nvidia.com/gpu.present", "In", ())
    assert of_pool((own, *others, ("gpuplane.io/", "Exists", ())), named=False) == (own,)


def test_only_in_names_it_for_nodes_without_labels() -> None:
    named = (POOL, "In", ("h100",))
    others = [(POOL, operator, ()) for operator in ("NotIn", "Exists", "DoesNotExist")]
    assert of_pool((named, *others), named=True) == (named,)
    assert of_pool((named, *others), named=False) == (named, *others)
