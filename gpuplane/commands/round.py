"""`gpuplane cull` and `gpuplane repair`, which a CronJob of the cluster runs."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.errors import ExitCode

if TYPE_CHECKING:
    from culling.cull import Outcome as Culled
    from repair.outcome import Outcome as Repaired
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


def cull(
    *,
    settings: SettingsFile,
    api_server: Address = None,
    token: TokenFile = TOKEN,
    authority: AuthorityFile = AUTHORITY,
) -> None:
    """Stop idle GPU workloads.

    ```console
    gpuplane cull --settings settings.json
    ```

    What became of each workload with idle GPUs goes to stdout, one JSON object per line. Nothing
    ends unless Prometheus answers, and where more GPUs would go than may at once.
    """
    from culling.cull import Decision, cull
    from culling.settings import Settings
    from rounds.servers import HttpEndpoint, Prometheus

    known = _settings_of(settings, Settings)
    prometheus = Prometheus(HttpEndpoint(known.prometheus_url))
    outcomes = cull(known, prometheus, _api_server_at(api_server, token, authority))
    _report(outcomes, (Decision.TOO_MANY, Decision.FAILED), "nothing ends")


def repair(
    *,
    settings: SettingsFile,
    api_server: Address = None,
    token: TokenFile = TOKEN,
    authority: AuthorityFile = AUTHORITY,
) -> None:
    """Reboot or replace nodes with broken GPUs.

    ```console
    gpuplane repair --settings settings.json
    ```

    What became of each node that is set aside goes to stdout, one JSON object per line. Nothing is
    done about a node on which something runs, nor twice within a day.
    """
    from repair.outcome import Decision
    from repair.repair import repair
    from repair.settings import Settings

    known = _settings_of(settings, Settings)
    outcomes = repair(known, _api_server_at(api_server, token, authority))
    _report(outcomes, (Decision.FAILED,), "nothing further is repaired")


def _settings_of(file: Path, of: "type[Settings]") -> "Settings":
    from rounds.settings import SettingsError, read

    try:
        return read(file.read_bytes(), of)
    except SettingsError as error:
        typer.echo(f"{file}: {error}", err=True)
        raise typer.Exit(ExitCode.WRONG_INPUT) from error


def _api_server_at(address: str | None, token: Path, authority: Path) -> "ApiServer":
    from rounds.servers import api_server

    return api_server(address or _address_of_pod(), token, authority)


def _report(outcomes: "Iterable[Culled | Repaired]", failures: Sequence[str], nothing: str) -> None:
    """Print outcomes, and say what does not happen where a server does not answer."""
    from rounds.servers import ApiServerError, PrometheusError

    failed = False
    try:
        for outcome in outcomes:
            typer.echo(outcome.line())
            failed |= outcome.decision in failures
    except (PrometheusError, ApiServerError) as error:
        typer.echo(f"{nothing}: {error}", err=True)
        raise typer.Exit(ExitCode.ENVIRONMENT) from error
    if failed:
        raise typer.Exit(ExitCode.FINDINGS)


def _address_of_pod() -> str:
    host = os.environ.get("KUBERNETES_SERVICE_HOST")
    if host is None:
        raise typer.BadParameter("is needed outside of a cluster", param_hint="--api-server")
    bracketed = f"[{host}]" if ":" in host else host
    return f"https://{bracketed}:{os.environ.get('KUBERNETES_SERVICE_PORT', '443')}"
