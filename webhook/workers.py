"""Several processes of the webhook that share its sockets."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from prometheus_client.multiprocess import mark_process_dead

from webhook.metrics import WORKERS_DIRECTORY
from webhook.reloaded_files import ReloadError
from webhook.worker import run_worker

if TYPE_CHECKING:
    from multiprocessing.context import SpawnProcess
    from types import FrameType

    from structlog.typing import FilteringBoundLogger

    from webhook.serve_options import ServeOptions
    from webhook.worker import Listeners

MIN_LIFE_SECONDS = 5.0
"""A worker that dies sooner would do so again, so all stop."""
_TICK_SECONDS = 0.2


def run_workers(options: ServeOptions, listeners: Listeners, log: FilteringBoundLogger) -> int:
    """Keep that many workers running until SIGTERM or SIGINT; returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="webhook-metrics-") as metrics:
        os.environ[WORKERS_DIRECTORY] = metrics  # inherited by the workers, which read it
        try:
            return _Supervisor(options, listeners, log, metrics).run()
        finally:
            del os.environ[WORKERS_DIRECTORY]


class _Supervisor:
    def __init__(
        self, options: ServeOptions, listeners: Listeners, log: FilteringBoundLogger, metrics: str
    ) -> None:
        self._options = options
        self._listeners = listeners
        self._log = log
        self._metrics = metrics
        self._stopping = False
        self._failed = False
        self._started: dict[SpawnProcess, float] = {}

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        for _ in range(self._options.workers):
            self._start()
        while self._started:
            # A timeout, since a signal handler does not wake it.
            wait([worker.sentinel for worker in self._started], timeout=_TICK_SECONDS)
            for worker in [worker for worker in self._started if not worker.is_alive()]:
                self._reap(worker)
        return int(self._failed)

    def _start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        worker = spawn.Process(target=_run, args=(self._options, self._listeners))
        worker.start()
        self._started[worker] = time.monotonic()

    def _stop(self, number: int = signal.SIGTERM, _frame: FrameType | None = None) -> None:
        self._stopping = True
        for worker in self._started:
            if worker.pid and worker.is_alive():
                os.kill(worker.pid, number)

    def _reap(self, worker: SpawnProcess) -> None:
        lived = time.monotonic() - self._started.pop(worker)
        mark_process_dead(worker.pid, self._metrics)  # type: ignore[no-untyped-call] # upstream's
        if self._stopping:
            return
        self._log.error("a worker died", process=worker.pid, exit_code=worker.exitcode)
        if lived < MIN_LIFE_SECONDS:
            self._failed = True
            self._stop()
            return
        self._start()


def _run(options: ServeOptions, listeners: Listeners) -> None:
    try:
        run_worker(options, listeners)
    except ReloadError as error:
        sys.exit(str(error))
