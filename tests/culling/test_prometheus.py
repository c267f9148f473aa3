"""What Prometheus answers, and what is not acted upon."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from typing_extensions import override

from culling.http_endpoint import HttpEndpoint, HttpError, Reply
from culling.prometheus import Prometheus, PrometheusError, Row

VECTOR = {"result": [{"metric": {"pod": "a"}, "value": [1800000000.5, "3"]}]}


@dataclass(frozen=True, slots=True)
class Answering(HttpEndpoint):
    """Answers everything alike; without an answer not at all."""

    status: int = 200
    document: dict[str, Any] = field(default_factory=dict)

    @override
    def request(self, method: str, path: str, body: object = None, content_type: str = "") -> Reply:
        if not self.document:
            raise HttpError("refused")
        return Reply(self.status, self.document)


def test_a_row_has_labels_value_and_time() -> None:
    answering = Answering("", document={"status": "success", "data": VECTOR})
    assert Prometheus(answering).rows("up") == (Row({"pod": "a"}, 3, 1800000000.5),)


@pytest.mark.parametrize(
    ("status", "document"),
    [
        (200, {}),
        (503, {"status": "error", "error": "starting"}),
        (200, {"status": "success", "data": VECTOR, "warnings": ["a store is missing"]}),
        (200, {"status": "success", "data": {}}),
        (200, {"status": "success", "data": {"result": [{"metric": {}}]}}),
    ],
    ids=["silent", "not ready", "in part", "of another kind", "without values"],
)
def test_what_is_no_whole_answer_is_no_answer(status: int, document: dict[str, Any]) -> None:
    with pytest.raises(PrometheusError):
        Prometheus(Answering("", status=status, document=document)).rows("up")


@pytest.mark.parametrize("value", ["NaN", "+Inf", "-Inf", "-1", "1e30"])
def test_what_is_no_number_of_gpus_or_minutes_is_no_answer(value: str) -> None:
    result = [{"metric": {"pod": "a"}, "value": [1800000000.5, value]}]
    answering = Answering("", document={"status": "success", "data": {"result": result}})
    with pytest.raises(PrometheusError, match="no number"):
        Prometheus(answering).rows("up")


@pytest.mark.parametrize(("metric", "seconds"), [(None, 1), (["namespace"], 1), ({}, 1e300)])
def test_a_row_without_labels_or_time_is_no_answer(metric: Any, seconds: float) -> None:
    result = [{"metric": metric, "value": [seconds, "1"]}]
    answering = Answering("", document={"status": "success", "data": {"result": result}})
    with pytest.raises(PrometheusError, match="no vector"):
        Prometheus(answering).rows("up")
