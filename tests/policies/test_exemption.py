import datetime as dt
from typing import Any

import pytest

from policies.admission import UPDATE, Review
from policies.document import Document
from policies.exemption import AddedContainers
from policies.finding import Finding, Severity
from policies.pod import Pod
from policies.rule_name import RuleName


def _pod(*names: Any) -> Document:
    return {"spec": {"containers": [{}], "ephemeralContainers": [{"name": n} for n in names]}}


def _finding(path: str) -> Finding:
    return Finding(RuleName.IMAGE_TAG, Severity.REFUSE, path, "it", "It is so.", "Change it.")


@pytest.mark.parametrize(
    ("old", "added", "stood"),
    [
        (_pod("a"), [0], [1]),
        (_pod("a", "b"), [], [0, 1]),
        (_pod(), [0, 1], []),
        (_pod(1, None, {}), [0, 1], []),
        ({"spec": {"ephemeralContainers": {}}}, [0, 1], []),
        (None, [0, 1], []),
    ],
)
def test_what_is_added_is_told_by_its_name_whatever_the_order(
    old: Any, added: list[int], stood: list[int]
) -> None:
    review = Review("team", dt.date(2026, 11, 21), UPDATE, "ephemeralcontainers", old)
    told = AddedContainers(Pod(_pod("b", "a"), bool), review)
    findings = [_finding(f"/spec/ephemeralContainers/{index}/image") for index in range(2)]
    assert [index for index in range(2) if told.concern(findings[index])] == added
    assert [index for index in range(2) if told.stood_before(findings[index])] == stood


def test_other_parts_of_the_pod_are_neither() -> None:
    told = AddedContainers(Pod(_pod(), bool), Review("team", dt.date(2026, 11, 21)))
    for path in ("/spec/containers/0/image", "/metadata/labels", ""):
        finding = _finding(path)
        assert (told.concern(finding), told.stood_before(finding)) == (False, False)
