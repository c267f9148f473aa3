import signal
import socket
import time
from contextlib import closing
from pathlib import Path

from tests.webhook.pods import SETTINGS, body_of, gpu_pod, request_of
from tests.webhook.running_webhook import PATIENCE, exchange, running_webhook


def _wait_until_refused(port: int) -> None:
    """Connect until nobody listens any more; where a socket is left open, that never is."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
        except ConnectionRefusedError:
            return
        time.sleep(0.05)
    raise AssertionError(f"port {port} still takes connections")


def test_a_webhook_that_stops_is_first_not_ready_goes_on_and_then_finishes_what_is_open(
    tmp_path: Path,
) -> None:
    with (
        running_webhook(tmp_path, SETTINGS, drain_seconds=0.6) as running,
        closing(running.connect()) as open_,
        closing(running.connect()) as halfway,
    ):
        body = body_of(request_of(gpu_pod()))
        assert exchange(open_, "/mutate", body).headers.get("connection") is None
        halfway.putrequest("POST", "/mutate")
        halfway.putheader("content-length", str(len(body)))
        halfway.endheaders(body[:100])
        running.process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        while (ready := running.ask("/readyz")).status == 200:
            assert time.monotonic() < deadline
        assert (ready.status, ready.body) == (503, b"draining\n")
        draining = exchange(open_, "/mutate", body)
        assert (draining.status, draining.headers["connection"]) == (200, "close")
        _wait_until_refused(running.port)
        halfway.send(body[100:])
        assert halfway.getresponse().status == 200
        assert running.process.wait(PATIENCE) == 0


def test_a_handshake_that_never_ends_keeps_no_webhook_from_stopping(tmp_path: Path) -> None:
    options = {"drain_seconds": 0, "limits": {"head_seconds": 600.0}}
    with (
        running_webhook(tmp_path, SETTINGS, **options) as running,
        socket.create_connection(("127.0.0.1", running.port), timeout=PATIENCE),
    ):
        assert running.ask("/livez").status == 200  # what came before is accepted by then
        assert running.stop() == 0


def test_a_second_signal_ends_the_wait(tmp_path: Path) -> None:
    with running_webhook(tmp_path, SETTINGS, drain_seconds=600) as running:
        running.process.send_signal(signal.SIGTERM)
        while running.ask("/readyz").status == 200:
            pass
        assert running.stop() == 0
