"""One process of the webhook."""

from __future__ import annotations

import asyncio
import dataclasses
import gc
import logging
import multiprocessing
import resource
import signal
from typing import TYPE_CHECKING

import uvicorn
import uvloop
from prometheus_client import disable_created_metrics

from webhook.application import create_app, create_operations_app
from webhook.http.bounded_server import MAX_BEGINNING, BoundedServer
from webhook.known_clients import KnownClients
from webhook.live_certificate import LiveCertificate
from webhook.live_settings import LiveSettings
from webhook.log import ServerLogHandler, make_log
from webhook.metrics import Metrics
from webhook.operations import Readiness
from webhook.reloaded_files import keep_reloaded

if TYPE_CHECKING:
    import socket
    from collections.abc import Sequence

    from fastapi import FastAPI
    from structlog.typing import FilteringBoundLogger

    from webhook.gate import Limits
    from webhook.serve_options import ServeOptions


_PORTS = 2
_OTHERS = 128
"""Files that are not connections: libraries, logs, metrics, what is watched."""
KEEP_ALIVE_SECONDS = 120
"""Longer than the 90 s after which the API server closes an idle connection (`IdleConnTimeout` of
https://pkg.go.dev/net/http#DefaultTransport), so that it never sends on one that is closing."""
FINISH_SECONDS = 20
"""For what is open once no more connections are accepted, longer than a request may take; clients
that read no answers are not waited for any longer."""


def run_worker(options: ServeOptions, listening: Sequence[socket.socket]) -> None:
    """Serve on the sockets until SIGTERM or SIGINT, or until the supervisor is gone.

    Raises ReloadError when a file is broken at the start.
    """
    log = make_log(options.log_level)
    _pass_on_server_log(log)
    disable_created_metrics()  # type: ignore[no-untyped-call] # upstream's
    worker = _Worker(options, log)
    # What exists now stays: searching it for garbage would pause reviews.
    gc.collect()
    gc.freeze()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(worker.run(listening))


class _Worker:
    def __init__(self, options: ServeOptions, log: FilteringBoundLogger) -> None:
        self._log = log
        self._metrics = metrics = Metrics()
        settings = LiveSettings(options.settings, metrics, log)
        files = (options.certificate, options.key, options.client_ca)
        certificate = LiveCertificate(*files, metrics, log)
        self._watched = (settings, certificate)
        readiness, limits = Readiness(), within_open_files(options.limits)
        drains = (readiness, options.drain_seconds)
        app = create_app(settings, readiness, metrics, log, limits)
        config = _config(app, ssl_context_factory=lambda *_: certificate.context)
        clients = KnownClients(certificate, options.client_names)
        self._reviews = BoundedServer(config, limits, *drains, clients)
        operations = _config(create_operations_app(readiness, metrics))
        self._operations = BoundedServer(operations, limits, *drains)

    async def run(self, listening: Sequence[socket.socket]) -> None:
        self._end_with_supervisor()
        reloading = asyncio.create_task(keep_reloaded(self._watched, self._metrics, self._log))
        servers = (self._reviews, self._operations)
        try:
            pairs = zip(servers, listening, strict=False)  # the port of operations may be absent
            await asyncio.gather(*(server.serve([each]) for server, each in pairs))
        finally:
            reloading.cancel()
            await asyncio.gather(reloading, return_exceptions=True)
        self._log.info("stopped")

    def _end_with_supervisor(self) -> None:
        """Begin to drain once the supervisor is gone, so that no port outlives it."""
        if supervisor := multiprocessing.parent_process():
            loop, gone = asyncio.get_running_loop(), supervisor.sentinel

            def leave() -> None:
                loop.remove_reader(gone)
                self._reviews.handle_exit(signal.SIGTERM, None)

            loop.add_reader(gone, leave)


def _config(app: FastAPI, **options: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,
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

    The attack: container runtimes start processes with 1,024 files, which they may raise
    themselves, and the connections of one port would take all of them. So the other port would
    accept none, and no changed file could be read.
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
