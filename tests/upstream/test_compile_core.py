import copy
from pathlib import Path
from typing import Any

import pytest
import yaml

from upstream.compile_core import compile_core_kinds, compile_metadata, load_definitions
from upstream.lock import UpstreamError

ROWS: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_bytes())
"""Definitions as the wheel writes them, cut short, and what they compile to."""


def test_metadata_has_a_name_and_nothing_that_only_the_server_writes() -> None:
    assert compile_metadata(ROWS["definitions"]) == ROWS["metadata"]


def test_a_kind_carries_the_definitions_that_it_uses_and_lists_and_subresources_are_left_out() -> (
    None
):
    assert compile_core_kinds(ROWS["definitions"]) == ROWS["compiled"]


@pytest.mark.parametrize("kind", ["Binding", "Event", "Eviction", "TokenReview"])
def test_what_is_not_desired_state_has_no_schema(kind: str) -> None:
    given = copy.deepcopy(ROWS["definitions"])
    given["Web"]["x-kubernetes-group-version-kind"][0]["kind"] = kind
    assert compile_core_kinds(given) == {}


kubernetes_validate = pytest.importorskip("kubernetes_validate")


def test_a_minor_that_the_wheel_lacks_is_named() -> None:
    with pytest.raises(
        UpstreamError, match=r"^kubernetes-validate has no schemas for Kubernetes 1\.2: "
    ):
        load_definitions("1.2")
