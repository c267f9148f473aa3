"""A Job replaces a pod once that has ended, by the webhook as by the API server."""

import json
from typing import Any

import pytest

from policies.document import Document
from policies.operation import Operation
from policies.workloads.pod_replacement import FIXED, REPLACES_EARLY, replacement_fix
from tests.charts_py.components.evaluated import evaluated

LATE = (Operation("add", "/spec/podReplacementPolicy", "Failed"),)


@pytest.mark.parametrize(
    ("spec", "fix"),
    [
        ({"podReplacementPolicy": "TerminatingOrFailed"}, LATE),
        ({"podReplacementPolicy": "Failed"}, ()),
        # The API server states its default before it asks.
        ({}, ()),
    ],
)
def test_both_fix_the_same_jobs_in_the_same_way(spec: Document, fix: tuple[Operation]) -> None:
    job = {"spec": spec}
    assert replacement_fix(job) == fix
    data: dict[str, Any] = {"object": job, "request": {"resource": {"resource": "jobs"}}}
    operations = json.loads(FIXED) if evaluated(REPLACES_EARLY, data) else []
    assert [Operation(*each) for each in operations] == list(fix)


@pytest.mark.parametrize("spec", [None, [], "Failed"])
def test_what_is_no_job_is_left_to_validation(spec: Any) -> None:
    assert replacement_fix({"spec": spec}) == ()


def test_other_kinds_have_no_such_field() -> None:
    data = {
        "object": {"spec": {"podReplacementPolicy": "TerminatingOrFailed"}},
        "request": {"resource": {"resource": "jobsets"}},
    }
    assert evaluated(REPLACES_EARLY, data) is False
