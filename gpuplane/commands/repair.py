"""`gpuplane repair`."""

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

    known = settings_of(settings, Settings)
    server = api_server_at(api_server, token, authority)
    failed = False
    with unanswered("nothing further is repaired"):
        for outcome in repair(known, server):
            typer.echo(outcome.line())
            failed |= outcome.decision is Decision.FAILED
    if failed:
        raise typer.Exit(ExitCode.FINDINGS)
