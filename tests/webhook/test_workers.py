import resource
import signal
from pathlib import Path

import pytest

from tests.webhook.pods import SETTINGS, gpu_pod, request_of
from tests.webhook.running_webhook import PATIENCE, RunningWebhook, running_webhook
from webhook.gate import Limits
from webhook.worker import within_open_files

UNLIMITED = resource.RLIM_INFINITY


def _kill_a_worker(running: RunningWebhook) -> None:
    workers = running.workers
    assert len(workers) == 2
    workers[0].kill()
    assert running.log_until("a worker died")["exit_code"] == -signal.SIGKILL


def _places_with_metrics(temporary: Path) -> set[str]:
    """Return the places of workers that have files of metrics, as `counter_0.db`."""
    return {file.stem.rpartition("_")[2] for file in temporary.glob("webhook-metrics-*/*")}


def test_workers_share_a_port_add_up_their_metrics_and_are_replaced(tmp_path: Path) -> None:
    options = {"workers": 2, "drain_seconds": 0}
    folder = tmp_path / "webhook"
    folder.mkdir()
    with running_webhook(folder, SETTINGS, **options) as running:
        running.log_until("certificate loaded")
        for _ in range(8):
            running.review("/mutate", request_of(gpu_pod()))
        assert running.metric('requests_total{code="200",path="/mutate"}') == 8
        assert running.metric('fixes_total{rule="tolerations"}') == 8
        for _ in range(2):  # as by a review that crashes it
            _kill_a_worker(running)
            running.log_until("certificate loaded")
            assert running.review("/mutate", request_of(gpu_pod()))["allowed"] is True
            assert _places_with_metrics(tmp_path) == {"0", "1"}
        assert running.stop() == 0


def test_a_worker_that_cannot_start_ends_all(tmp_path: Path) -> None:
    options = {"client_ca": tmp_path / "tls.crt", "limits": {"connections": None}, "workers": 2}
    with running_webhook(tmp_path, SETTINGS, **options) as running:
        assert running.log_until("a worker died")["exit_code"] == 1
        assert running.process.wait(PATIENCE) == 1


def test_a_worker_whose_supervisor_is_gone_ends(tmp_path: Path) -> None:
    with running_webhook(tmp_path, SETTINGS, drain_seconds=0) as running:
        (worker,) = running.workers
        running.process.kill()
        worker.wait(PATIENCE)


@pytest.mark.parametrize(
    ("soft", "hard", "raised", "connections"),
    [
        (1024, 524_288, 2688, 1024),
        (1024, UNLIMITED, 2688, 1024),
        (1024, 1024, None, 192),
        (1024, 2048, 2048, 704),
        (256, 256, None, 1),
        (1_048_576, 1_048_576, None, 1024),
        (UNLIMITED, UNLIMITED, None, 1024),
    ],
)
def test_as_many_connections_are_held_as_a_process_may_open_files(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int | None, connections: int
) -> None:
    allowed: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: allowed.append(limits))
    assert within_open_files(Limits(connections=1024)).connections == connections
    assert allowed == ([] if raised is None else [(raised, hard)])
