"""`gpuplane cull`."""

import os
from pathlib import Path
from typing import Annotated

import typer

from gpuplane.errors import ExitCode

_SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
"""https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/"""


def cull(
    *,
    settings: Annotated[Path, typer.Option(help="JSON file of the settings.")],
    api_server: Annotated[
        str | None,
        typer.Option(help="Address of the API server; by default that which a pod is given."),
    ] = None,
    token: Annotated[
        Path, typer.Option(help="File of the token that it is asked with.")
    ] = _SERVICE_ACCOUNT / "token",
    authority: Annotated[Path, typer.Option(help="PEM file of its authority.")] = _SERVICE_ACCOUNT
    / "ca.crt",
) -> None:
    """Stop idle GPU workloads.

    ```console
    gpuplane cull --settings settings.json
    ```

    What became of each workload with idle GPUs goes to stdout, one JSON object per line. Nothing
    ends unless Prometheus answers, and where more GPUs would go than may at once.
    """
    from culling.cull import Decision, cull
    from culling.servers import (
        ApiServerError,
        HttpEndpoint,
        Prometheus,
        PrometheusError,
        api_server as connect,
    )
    from culling.settings import SettingsError, read_settings

    try:
        known = read_settings(settings.read_bytes())
    except SettingsError as error:
        typer.echo(f"{settings}: {error}", err=True)
        raise typer.Exit(ExitCode.WRONG_INPUT) from error
    prometheus = Prometheus(HttpEndpoint(known.prometheus_url))
    server = connect(api_server or _api_server_of_pod(), token, authority)
    failed = False
    try:
        for outcome in cull(known, prometheus, server):
            typer.echo(outcome.line())
            failed |= outcome.decision in (Decision.TOO_MANY, Decision.FAILED)
    except (PrometheusError, ApiServerError) as error:
        typer.echo(f"nothing ends: {error}", err=True)
        raise typer.Exit(ExitCode.ENVIRONMENT) from error
    if failed:
        raise typer.Exit(ExitCode.FINDINGS)


def _api_server_of_pod() -> str:
    host = os.environ.get("KUBERNETES_SERVICE_HOST")
    if host is None:
        raise typer.BadParameter("is needed outside of a cluster", param_hint="--api-server")
    bracketed = f"[{host}]" if ":" in host else host
    return f"https://{bracketed}:{os.environ.get('KUBERNETES_SERVICE_PORT', '443')}"
