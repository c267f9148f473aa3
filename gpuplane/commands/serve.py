from pathlib import Path
from typing import Annotated, Literal

import typer

from gpuplane.errors import ExitCode
from webhook.serve_options import ServeOptions

_DEFAULT = ServeOptions(settings=Path(), certificate=Path(), key=Path())


def serve(
    *,
    settings: Annotated[Path, typer.Option(help="JSON file of the settings.")],
    certificate: Annotated[Path, typer.Option(help="PEM file of the certificate chain.")],
    key: Annotated[Path, typer.Option(help="PEM file of its key.")],
    client_ca: Annotated[
        Path | None,
        typer.Option(
            "--client-ca",
            help="PEM file of the authorities of client certificates; by default none is asked "
            "for.",
        ),
    ] = _DEFAULT.client_ca,
    client_name: Annotated[
        list[str] | None,
        typer.Option(
            help="Common name of a client certificate that is let in; repeat it for several. By "
            "default, everyone with a certificate of these authorities is."
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = _DEFAULT.host,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = _DEFAULT.port,
    operations_port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port of /livez, /readyz and /metrics, without TLS."),
    ] = _DEFAULT.operations_port,
    workers: Annotated[int, typer.Option(min=1, help="Number of processes.")] = _DEFAULT.workers,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        typer.Option(help="Minimum level that is logged."),
    ] = _DEFAULT.log_level,
    drain_seconds: Annotated[
        float, typer.Option(min=0, help="Seconds from SIGTERM until new connections are refused.")
    ] = _DEFAULT.drain_seconds,
) -> None:
    """Serve the admission webhook over TLS.

    ```console
    gpuplane serve --settings settings.json --certificate tls.crt --key tls.key
    ```

    Settings and certificate are read again when their files change; if a new one is broken, the
    last good one stays in use. `--operations-port` is needed with `--client-ca`, since the kubelet
    presents no certificate. The log goes to stdout, one JSON object per line.
    """
    from webhook.reloaded_files import ReloadError
    from webhook.serve import ListenError, serve

    options = ServeOptions(
        settings=settings,
        certificate=certificate,
        key=key,
        client_ca=client_ca,
        client_names=tuple(client_name or ()),
        host=host,
        port=port,
        operations_port=operations_port,
        workers=workers,
        log_level=log_level,
        drain_seconds=drain_seconds,
    )
    try:
        code = serve(options)
    except (ReloadError, ListenError) as error:
        typer.echo(str(error), err=True)
        is_of_file = isinstance(error, ReloadError)
        raise typer.Exit(ExitCode.WRONG_INPUT if is_of_file else ExitCode.ENVIRONMENT) from error
    raise typer.Exit(code)
