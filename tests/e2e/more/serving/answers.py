"""What vLLM tells Prometheus of the requests that its replicas answer, as a test says.

Names and labels are those of vLLM 0.33.0.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gpuplane.workloads.server.ports import REVISION
from tests.e2e.monitoring.exporters import series
from tests.e2e.monitoring.loopback import Reply

_A_SECOND = 20.0
_BUCKETS = (0.25, 1.0, 4.0)
"""Upper bounds, in seconds."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Of a revision; without requests its counters stay where they are."""

    requests: float = _A_SECOND
    """A second."""
    failed: float = 0.0
    """The part of them that the engine fails."""
    first_token: float = 0.2
    """Seconds."""


WELL = Answers()


@dataclass(slots=True)
class AnsweringReplicas:
    """What is scraped of a model, whose pods are told apart by their revision."""

    labels: Mapping[str, str]
    """Those by which Prometheus knows the model."""
    revisions: Mapping[str, str]
    """Image by hash."""
    answers: dict[str, Answers] = field(default_factory=dict)
    """By image; what is not there has no series."""
    load: dict[str, float] = field(default_factory=dict)
    """Requests by what becomes of them: those that are `running`, and `waiting`."""
    begun: float = field(default_factory=time.monotonic)

    def reply(self, _path: str, _body: bytes) -> Reply:
        rows = [
            row
            for revision, image in tuple(self.revisions.items())
            if (answers := self.answers.get(image)) is not None
            for row in self._rows(revision, answers)
        ]
        for what, requests in tuple(self.load.items()):
            rows.append(f"{series(f'vllm:num_requests_{what}', self.labels)} {requests}")
        return Reply("".join(f"{row}\n" for row in rows))

    def _rows(self, revision: str, answers: Answers) -> Iterator[str]:
        labels = {**self.labels, REVISION.replace("-", "_"): revision}
        requests = 100 + answers.requests * (time.monotonic() - self.begun)
        parts = {"stop": 1 - answers.failed, "error": answers.failed}
        for reason, part in parts.items():
            name = series("vllm:request_success_total", {**labels, "finished_reason": reason})
            yield f"{name} {requests * part}"
        for bound in (*_BUCKETS, float("inf")):
            of = {**labels, "le": "+Inf" if bound == float("inf") else f"{bound}"}
            name = series("vllm:time_to_first_token_seconds_bucket", of)
            yield f"{name} {requests if answers.first_token <= bound else 0}"
