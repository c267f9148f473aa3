from __future__ import annotations

import signal
from pathlib import Path

from tests.webhook.pods import SETTINGS, gpu_pod, request_of
from tests.webhook.running_webhook import PATIENCE, RunningWebhook, running_webhook


def _kill_a_worker(running: RunningWebhook) -> None:
    workers = running.workers
    assert len(workers) == 2
    workers[0].kill()
    assert running.log_until("a worker died")["exit_code"] == -signal.SIGKILL


def test_workers_share_a_port_add_up_their_metrics_and_are_replaced(tmp_path: Path) -> None:
    options = {"workers": 2, "drain_seconds": 0, "min_life_seconds": 0.0}
    with running_webhook(tmp_path, SETTINGS, **options) as running:
        running.log_until("certificate loaded")
        for _ in range(8):
            running.review("/mutate", request_of(gpu_pod()))
        assert running.metric('requests_total{code="200",path="/mutate"}') == 8
        assert running.metric('fixes_total{rule="tolerations"}') == 8
        _kill_a_worker(running)
        running.log_until("certificate loaded")
        assert running.review("/mutate", request_of(gpu_pod()))["allowed"] is True
        assert running.stop() == 0


def test_a_worker_that_dies_at_its_start_ends_all(tmp_path: Path) -> None:
    with running_webhook(
        tmp_path, SETTINGS, workers=2, drain_seconds=0, min_life_seconds=600
    ) as running:
        running.log_until("certificate loaded")
        _kill_a_worker(running)
        assert running.process.wait(PATIENCE) == 1


def test_a_worker_whose_supervisor_is_gone_ends(tmp_path: Path) -> None:
    with running_webhook(tmp_path, SETTINGS, drain_seconds=0) as running:
        (worker,) = running.workers
        running.process.kill()
        worker.wait(PATIENCE)
