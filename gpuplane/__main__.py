"""The entry point of `gpuplane` and of `python -m gpuplane`."""

import gc
import sys

from gpuplane.errors import ExitCode

_NEW_OBJECTS = 100_000
"""New objects after which the garbage collector looks for cycles. Python does so after 700, which
takes a tenth of the time of most commands: what they import and read stays."""

_DEFECT = 1
"""What Python exits with after a traceback."""


def main() -> None:
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    except Exception:
        # Its message may hold anything that a file does.
        from traceback import format_exc

        import typer

        from gpuplane.terminal import harmless

        typer.echo(harmless(format_exc()), nl=False, err=True)
        sys.exit(_DEFECT)


def _run() -> None:
    gc.set_threshold(_NEW_OBJECTS)
    from gpuplane.application import create_application
    from gpuplane.terminal import tolerate_any_encoding

    tolerate_any_encoding()
    create_application()(prog_name="gpuplane")


if __name__ == "__main__":
    main()
