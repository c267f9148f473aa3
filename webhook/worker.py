"""One process of the webhook."""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import logging
import resource
import signal
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import uvicorn
from prometheus_client import disable_created_metrics

from webhook.application import create_app, create_operations_app
from webhook.http.bounded_listener import MAX_BEGINNING, BoundedLoop
from webhook.http.draining_server import DrainingServer, FollowingServer
from webhook.http.review_protocol import ReviewProtocol
from webhook.known_clients import KnownClients
from webhook.live_certificate import LiveCertificate
from webhook.live_settings import LiveSettings
from webhook.log import ServerLogHandler, make_log
from webhook.metrics import Metrics
from webhook.operations import Readiness
from webhook.reloaded_files import keep_reloaded

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

    from fastapi import FastAPI
    from structlog.typing import FilteringBoundLogger

    from webhook.gate import Limits
    from webhook.serve_options import ServeOptions


@dataclass(frozen=True, slots=True)
class Listeners:
    """Bound sockets that all workers share."""

    reviews: socket.socket
    operations: socket.socket | None = None

    def __iter__(self) -> Iterator[socket.socket]:
        """Yield each."""
        yield self.reviews
        if self.operations:
            yield self.operations


_PORTS = 2
_OTHERS = 128
"""Files that are not connections: libraries, logs, metrics, what is watched."""
KEEP_ALIVE_SECONDS = 120
"""Longer than the 90 s after which the API server closes an idle connection (`IdleConnTimeout` of
https://pkg.go.dev/net/http#DefaultTransport), so that it never sends on one that is closing."""
FINISH_SECONDS = 20
"""For what is open once no more connections are accepted, longer than a request may take; clients
that read no answers are not waited for any longer."""


def run_worker(options: ServeOptions, listeners: Listeners, supervisor: Connection) -> None:
    """Serve until SIGTERM or SIGINT, or until the supervisor is gone.

    Raises ReloadError when a file is broken at the start.
    """
    log = make_log(options.log_level)
    _pass_on_server_log(log)
    worker = _Worker(options, log, supervisor)
    disable_created_metrics()  # type: ignore[no-untyped-call] # upstream's
    # What exists now stays: searching it for garbage would pause reviews.
    gc.collect()
    gc.freeze()
    head_seconds = options.limits.head_seconds
    with asyncio.Runner(loop_factory=lambda: BoundedLoop(head_seconds)) as runner:
        runner.run(worker.run(listeners))


class _Worker:
    def __init__(
        self, options: ServeOptions, log: FilteringBoundLogger, supervisor: Connection
    ) -> None:
        self._log = log
        self._metrics = Metrics()
        self._settings = LiveSettings(options.settings, self._metrics, log)
        self._certificate = LiveCertificate(
            options.certificate, options.key, options.client_ca, self._metrics, log
        )
        readiness = Readiness()
        limits = within_open_files(options.limits)
        app = create_app(self._settings, readiness, self._metrics, log, limits)
        clients = KnownClients(self._certificate, options.client_names)
        config = _config(
            app, limits, clients, ssl_context_factory=lambda *_: self._certificate.context
        )
        self._reviews = DrainingServer(
            config, limits.head_seconds, readiness, options.drain_seconds
        )
        self._supervisor = supervisor
        operations = _config(create_operations_app(readiness, self._metrics), limits)
        self._operations = FollowingServer(operations, limits.head_seconds, self._reviews)

    async def run(self, listeners: Listeners) -> None:
        watched = (self._settings, self._certificate)
        tasks = (
            asyncio.create_task(keep_reloaded(watched, self._metrics, self._log)),
            asyncio.create_task(self._stop_without_supervisor()),
        )
        serving = [self._reviews.serve([listeners.reviews])]
        if listeners.operations:
            serving.append(self._operations.serve([listeners.operations]))
        try:
            await asyncio.gather(*serving)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        self._log.info("stopped")

    async def _stop_without_supervisor(self) -> None:
        """Begin to drain once the supervisor is gone, whose end of the pipe is then closed."""
        gone = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._supervisor.fileno(), gone.set)
        await gone.wait()
        asyncio.get_running_loop().remove_reader(self._supervisor.fileno())
        self._reviews.handle_exit(signal.SIGTERM, None)


def _config(
    app: FastAPI, limits: Limits, clients: KnownClients | None = None, **options: object
) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=partial(ReviewProtocol, limits.connections, clients),  # type: ignore[arg-type] # called
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,  # there is no proxy in front
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=FINISH_SECONDS,
        **options,  # type: ignore[arg-type] # uvicorn's own, by name
    )


def _pass_on_server_log(log: FilteringBoundLogger) -> None:
    server = logging.getLogger("uvicorn")
    server.handlers = [ServerLogHandler(log)]
    server.setLevel(logging.WARNING)
    server.propagate = False


def within_open_files(limits: Limits) -> Limits:
    """Raise the process's limit as far as it may be; return what fits.

    Container runtimes start processes with 1,024, which they may raise themselves: the connections
    of one port would take all, and those of the other find none left.
    """
    wanted = _PORTS * (limits.connections + MAX_BEGINNING) + _OTHERS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    fitting = (max(soft, allowed) - _OTHERS) // _PORTS - MAX_BEGINNING
    if soft == resource.RLIM_INFINITY or fitting >= limits.connections:
        return limits
    return dataclasses.replace(limits, connections=max(1, fitting))
