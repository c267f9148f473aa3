"""Serves the webhook until SIGTERM."""

import socket
from contextlib import ExitStack
from importlib.util import find_spec

from webhook.live_certificate import read_context
from webhook.live_settings import settings_in
from webhook.log import make_log
from webhook.reloaded_files import read
from webhook.serve_options import ServeOptions
from webhook.workers import run_workers

BACKLOG = 1024

_OF_WORKERS = ("fastapi", "httptools", "uvicorn", "uvloop")
"""Packages that only workers import: here they would take their memory once more."""


class ListenError(Exception):
    """Why a port cannot be listened on."""


def serve(options: ServeOptions) -> int:
    """Serve until SIGTERM or SIGINT, then finish open requests; returns the exit code.

    Raises ReloadError when a file cannot be read or is broken, ListenError, and
    ModuleNotFoundError.
    """
    for package in _OF_WORKERS:
        if find_spec(package) is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    _check_files(options)
    ports = [options.port]
    if options.operations_port is not None:
        ports.append(options.operations_port)
    with ExitStack() as bound:
        listening = [bound.enter_context(_bind(options.host, port)) for port in ports]
        log = make_log(options.log_level)
        for each in listening:
            host, port = each.getsockname()[:2]
            log.info("listening", host=host, port=port)
        return run_workers(options, listening, log)


def _check_files(options: ServeOptions) -> None:
    """Raise ReloadError for a broken file, before the log says that anything listens."""
    settings_in(read(options.settings), options.settings)
    read_context(options.certificate, options.key, options.client_ca)


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        raise ListenError(f"{host}:{port}: {error.strerror or error}") from error
