"""Processes of the webhook that share its sockets, and what keeps them running."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from prometheus_client import values
from prometheus_client.multiprocess import mark_process_dead

from webhook.metrics import WORKERS_DIRECTORY
from webhook.reloaded_files import ReloadError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
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


@dataclass(eq=False, slots=True)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    """The worker stops once its other end is closed, as when this process is gone."""
    number: int
    """Names its metrics; none that runs at the same time has the same."""
    started: float


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
        self._workers: list[_Worker] = []

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        for _ in range(self._options.workers):
            self._start()
        while self._workers:
            # A timeout, since a signal handler does not wake it.
            wait([worker.process.sentinel for worker in self._workers], timeout=_TICK_SECONDS)
            for worker in [each for each in self._workers if not each.process.is_alive()]:
                self._reap(worker)
        return int(self._failed)

    def _start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        taken = {worker.number for worker in self._workers}
        number = min(set(range(len(taken) + 1)) - taken)
        process = spawn.Process(target=_run, args=(self._options, self._listeners, theirs, number))
        process.start()
        theirs.close()
        self._workers.append(_Worker(process, ours, number, time.monotonic()))
        if self._stopping:  # meanwhile, so that it was not asked to leave
            process.terminate()

    def _stop(self, number: int = signal.SIGTERM, _frame: FrameType | None = None) -> None:
        self._stopping = True
        for worker in self._workers:
            if worker.process.pid and worker.process.is_alive():
                os.kill(worker.process.pid, number)

    def _reap(self, worker: _Worker) -> None:
        process = worker.process
        self._workers.remove(worker)
        worker.pipe.close()
        mark_process_dead(worker.number, self._metrics)  # type: ignore[no-untyped-call] # upstream's
        if self._stopping:
            return
        self._log.error("a worker died", process=process.pid, exit_code=process.exitcode)
        if time.monotonic() - worker.started < MIN_LIFE_SECONDS:
            self._failed = True
            self._stop()
            return
        self._start()


def _run(options: ServeOptions, listeners: Listeners, supervisor: Connection, number: int) -> None:
    from webhook.worker import run_worker  # noqa: PLC0415 # half of the memory, for workers alone

    # By its process, each that was ever replaced would leave files.
    values.ValueClass = values.MultiProcessValue(lambda: number)  # type: ignore[no-untyped-call] # upstream's
    try:
        run_worker(options, listeners, supervisor)
    except ReloadError as error:
        sys.exit(str(error))
