"""Turning expected errors into a message on stderr and an exit code."""

from typing import Any

import typer
from typer.core import TyperGroup

from gpuplane.exit_code import ExitCode
from gpuplane.expected_errors import environment, error_message, wrong_input
from gpuplane.optional_parts import how_to_install
from gpuplane.terminal import harmless


class ReportingGroup(TyperGroup):
    """Runs a command; errors that a user can fix are reported without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that the arguments name."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except ModuleNotFoundError as error:
            if (line := how_to_install(ctx.invoked_subcommand, error)) is None:
                raise
            raise _reported(line, ExitCode.ENVIRONMENT) from error
        except environment() as error:
            raise _reported(error, ExitCode.ENVIRONMENT) from error
        except wrong_input() as error:
            raise _reported(error, ExitCode.WRONG_INPUT) from error
        except OSError as error:
            raise _reported(error, ExitCode.ENVIRONMENT) from error


def _reported(error: object, code: ExitCode) -> typer.Exit:
    typer.echo(harmless(error_message(error)), err=True)
    return typer.Exit(code)
