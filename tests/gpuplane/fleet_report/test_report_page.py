"""What parts of the page are called in the fragment of its URL."""

import re

from hypothesis import given, strategies as st

from gpuplane.fleet_report.report_page import anchor, distinct


def test_what_a_fragment_cannot_have_becomes_a_dash() -> None:
    assert anchor("pools", "training", "h100") == "pools.training.h100"
    assert anchor("teams", "nvidia.com/gpu", 'a "b" & <c>') == "teams.nvidia.com-gpu.a-b-c"
    assert anchor("rows", "", "é") == "rows.-.-"


@given(st.lists(st.text()))
def test_an_anchor_needs_no_escape(parts: list[str]) -> None:
    assert re.fullmatch(r"[A-Za-z0-9._+-]*", anchor(*parts))


@given(st.lists(st.sampled_from(["a", "a-2", "a-2-2", "b"])))
def test_names_are_distinct_and_the_first_of_each_keeps_its_own(names: list[str]) -> None:
    found = list(distinct(names))
    assert len(set(found)) == len(names)
    assert found[:1] == names[:1]
