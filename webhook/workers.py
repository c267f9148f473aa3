"""Processes of the webhook that share its sockets, and what keeps them running."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from prometheus_client import values
from prometheus_client.multiprocess import mark_process_dead

from webhook.metrics import WORKERS_DIRECTORY
from webhook.reloaded_files import ReloadError

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence
    from multiprocessing.context import SpawnProcess
    from types import FrameType

    from structlog.typing import FilteringBoundLogger

    from webhook.serve_options import ServeOptions

_TICK_SECONDS = 0.2


def run_workers(
    options: ServeOptions, listening: Sequence[socket.socket], log: FilteringBoundLogger
) -> int:
    """Keep that many workers running until SIGTERM or SIGINT; returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="webhook-metrics-") as metrics:
        os.environ[WORKERS_DIRECTORY] = metrics  # inherited by the workers, which read it
        return _Supervisor(options, listening, log).run()


@dataclass
class _Supervisor:
    """Replaces a worker that is killed, at once and at the same place.

    The attack: a review that crashes the process, sent again whenever it is back. The kubelet
    restarts a container, but waits twice as long each time, up to five minutes
    (https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy), and so it
    would for all replicas. A worker that fails by itself would do so again: all stop.
    """

    options: ServeOptions
    listening: Sequence[socket.socket]
    log: FilteringBoundLogger
    workers: dict[int, SpawnProcess] = field(default_factory=dict)
    stopping: bool = False
    failed: bool = False

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        for place in range(self.options.workers):
            self._start(place)
        while self.workers:
            # A timeout, since a signal handler does not wake it.
            wait([process.sentinel for process in self.workers.values()], _TICK_SECONDS)
            for place, process in list(self.workers.items()):
                if not process.is_alive():
                    self._replace(place)
            if self.stopping:
                self._close()
        return int(self.failed)

    def _start(self, place: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        process = spawn.Process(target=_run, args=(self.options, self.listening, place))
        process.start()
        self.workers[place] = process
        if self.stopping:  # meanwhile, so that it was not asked to leave
            process.terminate()

    def _stop(self, number: int = signal.SIGTERM, _frame: FrameType | None = None) -> None:
        self.stopping = True
        for process in self.workers.values():
            if process.pid and process.is_alive():
                os.kill(process.pid, number)

    def _close(self) -> None:
        """Leave the sockets to the workers, who close them once they have drained.

        Held open here, they would take connections that nobody answers until all is finished.
        """
        for each in self.listening:
            each.close()

    def _replace(self, place: int) -> None:
        process = self.workers.pop(place)
        mark_process_dead(place)  # type: ignore[no-untyped-call] # upstream's
        if self.stopping:
            return
        self.log.error("a worker died", process=process.pid, exit_code=process.exitcode)
        if process.exitcode and process.exitcode > 0:  # by its own fault, not by a signal
            self.failed = True
            self._stop()
        else:
            self._start(place)


def _run(options: ServeOptions, listening: Sequence[socket.socket], place: int) -> None:
    from webhook.worker import run_worker  # noqa: PLC0415 # half of the memory, for workers alone

    # By its process, each that was ever replaced would leave files.
    values.ValueClass = values.MultiProcessValue(lambda: place)  # type: ignore[no-untyped-call] # upstream's
    try:
        run_worker(options, listening)
    except ReloadError as error:
        sys.exit(str(error))
