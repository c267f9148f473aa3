"""Options and errors of the commands that a CronJob of the cluster runs."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.errors import ExitCode

if TYPE_CHECKING:
    from rounds.servers import ApiServer
    from rounds.settings import Settings

_SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
"""https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/"""
TOKEN = _SERVICE_ACCOUNT / "token"
AUTHORITY = _SERVICE_ACCOUNT / "ca.crt"

SettingsFile = Annotated[Path, typer.Option(help="JSON file of the settings.")]
Address = Annotated[
    str | None,
    typer.Option(help="Address of the API server; by default that which a pod is given."),
]
TokenFile = Annotated[Path, typer.Option(help="File of the token that it is asked with.")]
AuthorityFile = Annotated[Path, typer.Option(help="PEM file of its authority.")]


def settings_of(file: Path, of: "type[Settings]") -> "Settings":
    from rounds.settings import SettingsError, read

    try:
        return read(file.read_bytes(), of)
    except SettingsError as error:
        typer.echo(f"{file}: {error}", err=True)
        raise typer.Exit(ExitCode.WRONG_INPUT) from error


def api_server_at(address: str | None, token: Path, authority: Path) -> "ApiServer":
    from rounds.servers import api_server

    return api_server(address or _address_of_pod(), token, authority)


@contextmanager
def unanswered(nothing: str) -> Iterator[None]:
    """Say what does not happen where a server does not answer."""
    from rounds.servers import ApiServerError, PrometheusError

    try:
        yield
    except (PrometheusError, ApiServerError) as error:
        typer.echo(f"{nothing}: {error}", err=True)
        raise typer.Exit(ExitCode.ENVIRONMENT) from error


def _address_of_pod() -> str:
    host = os.environ.get("KUBERNETES_SERVICE_HOST")
    if host is None:
        raise typer.BadParameter("is needed outside of a cluster", param_hint="--api-server")
    bracketed = f"[{host}]" if ":" in host else host
    return f"https://{bracketed}:{os.environ.get('KUBERNETES_SERVICE_PORT', '443')}"
