"""The entry point of `gpuplane` and of `python -m gpuplane`."""

import sys

from gpuplane.exit_code import ExitCode


def main() -> None:
    """Run the command line."""
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)


def _run() -> None:
    from gpuplane.application import create_application
    from gpuplane.standard_streams import tolerate_any_encoding

    tolerate_any_encoding()
    create_application()(prog_name="gpuplane")


if __name__ == "__main__":
    main()
