from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

import psutil
from msgspec.structs import replace

from policies.document import Document
from policies.own.own_rules import SPENT
from policies.settings_json import write_settings
from policies.settings_own_rule import OwnAudience, OwnRule
from tests.webhook.pods import SETTINGS, body_of, gpu_pod, request_of
from tests.webhook.running_webhook import PATIENCE, RunningWebhook, exchange, running_webhook

COPIES = OwnRule(
    "copies",
    "object.spec.?args.orValue([]).all(each, object.spec.args.indexOf(each + 'x') < 0)",
    "No.",
    audience=OwnAudience.ALL_PODS,
)
OWN = replace(SETTINGS, own=(COPIES,))
HOSTILE = gpu_pod(args=[f"a{number}" for number in range(1_800)])
"""Of which the evaluator keeps 28 MB."""
MEBIBYTE = 2**20


def _resident(running: RunningWebhook) -> int:
    """Return the bytes that all processes take."""
    resident = 0
    supervisor = psutil.Process(running.process.pid)
    for process in (supervisor, *supervisor.children()):
        with suppress(psutil.NoSuchProcess):
            resident += process.memory_info().rss
    return resident


def _review(running: RunningWebhook, pod: Document) -> Document:
    return running.review("/validate", request_of(pod))


def test_hostile_pods_end_no_worker_by_its_memory_and_every_review_is_answered(
    tmp_path: Path,
) -> None:
    options = {"drain_seconds": 0.3, "min_life_seconds": 0.0}
    body, statuses, ready, taken = body_of(request_of(HOSTILE)), set(), set(), []
    with running_webhook(tmp_path, OWN, **options) as running:
        first = running.workers[0].pid
        with closing(running.connect()) as kept_alive:
            for _ in range(40):
                statuses.add(exchange(kept_alive, "/validate", body).response["status"]["code"])
                ready.add(running.ask("/readyz").status)
                taken.append(_resident(running))
        assert running.log_until("a worker was replaced")["process"] == first
        assert running.stop() == 0
    assert (statuses, ready) == ({403}, {200})
    assert max(taken) < 480 * MEBIBYTE


def test_a_worker_that_cannot_be_replaced_yet_goes_on(tmp_path: Path) -> None:
    options = {"drain_seconds": 0, "min_life_seconds": 0.5}
    with running_webhook(tmp_path, OWN, **options) as running:
        running.write("settings.json", "broken")
        for _ in range(40):
            _review(running, HOSTILE)
        for _ in range(2):
            assert running.log_until("a worker died")["exit_code"] == 1
        assert _review(running, gpu_pod())["status"]["message"].endswith(SPENT)
        assert running.workers[0].memory_info().rss < 260 * MEBIBYTE
        running.write("settings.json", write_settings(OWN))
        running.log_until("a worker was replaced")
        assert _review(running, gpu_pod())["allowed"] is True
        assert running.stop() == 0


def test_a_worker_whose_supervisor_is_gone_ends(tmp_path: Path) -> None:
    with running_webhook(tmp_path, SETTINGS, drain_seconds=0) as running:
        (worker,) = running.workers
        running.process.kill()
        worker.wait(PATIENCE)
