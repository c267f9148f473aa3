"""`gpuplane cull`."""

import typer

from gpuplane.commands.round import (
    AUTHORITY,
    TOKEN,
    Address,
    AuthorityFile,
    SettingsFile,
    TokenFile,
    api_server_at,
    settings_of,
    unanswered,
)
from gpuplane.errors import ExitCode


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

    known = settings_of(settings, Settings)
    prometheus = Prometheus(HttpEndpoint(known.prometheus_url))
    server = api_server_at(api_server, token, authority)
    failed = False
    with unanswered("nothing ends"):
        for outcome in cull(known, prometheus, server):
            typer.echo(outcome.line())
            failed |= outcome.decision in (Decision.TOO_MANY, Decision.FAILED)
    if failed:
        raise typer.Exit(ExitCode.FINDINGS)
