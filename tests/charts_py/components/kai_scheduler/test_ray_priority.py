"""By what labels jobs are ranked that KAI groups, by a real evaluator of CEL."""

from __future__ import annotations

from typing import Any

import pytest

from charts_py.components.kai_scheduler.queues import RAY_PRIORITY_POLICY

cel = pytest.importorskip("cel_expr_python.cel")
optional = pytest.importorskip("cel_expr_python.ext.ext_optional")


def _job(value: str | None = None) -> dict[str, Any]:
    labels = {} if value is None else {"labels": {"ray.io/priority-class-name": value}}
    return {"metadata": {"name": "trial", **labels}}


def _is_taken(now: dict[str, Any], before: dict[str, Any] | None) -> object:
    environment = cel.NewEnv(
        variables=dict.fromkeys(("object", "oldObject"), cel.Type.DYN),
        extensions=[optional.ExtOptional()],
    )
    (validation,) = RAY_PRIORITY_POLICY.spec()["validations"]
    data = {"object": now, "oldObject": before}
    return environment.compile(validation["expression"]).eval(data=data).value()


@pytest.mark.parametrize(
    ("now", "before", "is_taken"),
    [
        (_job(), None, True),
        (_job("inference"), None, False),
        (_job("inference"), _job(), False),
        (_job("inference"), _job("training"), False),
        (_job(), _job("inference"), True),
        # What was there before can still be deleted, which takes its finalizers off it.
        (_job("inference"), _job("inference"), True),
    ],
)
def test_a_job_of_ray_is_not_ranked_by_the_label_of_ray(
    now: dict[str, Any], before: dict[str, Any] | None, is_taken: bool
) -> None:
    assert _is_taken(now, before) is is_taken


def test_the_refusal_names_the_label_that_is_judged() -> None:
    (validation,) = RAY_PRIORITY_POLICY.spec()["validations"]
    assert validation["reason"] == "Forbidden"
    assert validation["message"] == (
        "KAI would rank the job by the label ray.io/priority-class-name, whatever class its team"
        " may use. Name the class in the label priorityClassName instead."
    )
