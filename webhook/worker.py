"""One process of the webhook."""

import asyncio
import dataclasses
import gc
import logging
import multiprocessing
import resource
import signal
import socket
from collections.abc import Coroutine, Sequence

import uvicorn
import uvloop
from fastapi import FastAPI
from prometheus_client import disable_created_metrics
from structlog.typing import FilteringBoundLogger

from webhook.application import create_app, create_operations_app
from webhook.gate import Limits
from webhook.http.bounded_server import MAX_BEGINNING, BoundedServer
from webhook.known_clients import KnownClients
from webhook.live_certificate import LiveCertificate
from webhook.live_settings import LiveSettings
from webhook.log import ServerLogHandler, make_log
from webhook.metrics import Metrics
from webhook.operations import Readiness
from webhook.reloaded_files import keep_reloaded
from webhook.serve_options import ServeOptions

_PORTS = 2
_OTHERS = 128
"""Files that are not connections: libraries, logs, metrics, what is watched."""
KEEP_ALIVE_SECONDS = 120
"""Longer than the 90 s after which the API server closes an idle connection (`IdleConnTimeout` of
https://pkg.go.dev/net/http#DefaultTransport), so that it never sends on one that is closing."""
FINISH_SECONDS = 20
"""Seconds for what is open once no more connections are accepted, longer than a request may take;
clients that read no answers are not waited for any longer."""


def run_worker(options: ServeOptions, listening: Sequence[socket.socket]) -> None:
    """Serve on the sockets until SIGTERM or SIGINT, or until the supervisor is gone.

    Raises ReloadError when a file is broken at the start.
    """
    log = make_log(options.log_level)
    _pass_on_server_log(log)
    disable_created_metrics()  # type: ignore[no-untyped-call] # upstream's
    metrics = Metrics()
    settings = LiveSettings(options.settings, metrics, log)
    files = (options.certificate, options.key, options.client_ca)
    certificate = LiveCertificate(*files, metrics, log)
    readiness, limits = Readiness(), within_open_files(options.limits)
    app = create_app(settings, readiness, metrics, log, limits)
    reviews = _config(app, ssl_context_factory=lambda *_: certificate.context)
    operations = _config(create_operations_app(readiness, metrics))
    drains = (limits, readiness, options.drain_seconds)  # so that they stop together
    clients = KnownClients(certificate, options.client_names)
    servers = (BoundedServer(reviews, *drains, clients), BoundedServer(operations, *drains))
    # What exists now stays: searching it for garbage would pause reviews.
    gc.collect()
    gc.freeze()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        reloading = keep_reloaded((settings, certificate), metrics, log)
        runner.run(_serve(servers, listening, reloading))
    log.info("stopped")


async def _serve(
    servers: tuple[BoundedServer, ...],
    listening: Sequence[socket.socket],
    reloading: Coroutine[None, None, None],
) -> None:
    loop = asyncio.get_running_loop()
    if supervisor := multiprocessing.parent_process():

        def drain() -> None:  # so that no port outlives it
            loop.remove_reader(supervisor.sentinel)
            servers[0].handle_exit(signal.SIGTERM, None)

        loop.add_reader(supervisor.sentinel, drain)
    task = loop.create_task(reloading)
    pairs = zip(servers, listening, strict=False)  # the port of operations may be absent
    await asyncio.gather(*(server.serve([each]) for server, each in pairs))
    task.cancel()


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
