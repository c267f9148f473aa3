"""Turning expected errors into a message on stderr and an exit code."""

from typing import Any

import typer
from typer.core import TyperGroup

from charts_py.release.dist_error import DistError
from charts_py.render_error import RenderError
from charts_py.spec.fault import SpecError
from gpuplane.exit_code import ExitCode
from upstream.error import UpstreamError

_WRONG_INPUT = (SpecError, RenderError, DistError, FileNotFoundError, FileExistsError)
_ENVIRONMENT = (UpstreamError, OSError)


class ReportingGroup(TyperGroup):
    """Runs a command; what a user can mend is said without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that the arguments name."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except _WRONG_INPUT as error:
            raise _reported(error, ExitCode.WRONG_INPUT) from error
        except _ENVIRONMENT as error:
            raise _reported(error, ExitCode.ENVIRONMENT) from error


def _reported(error: Exception, code: ExitCode) -> typer.Exit:
    typer.echo(str(error), err=True)
    return typer.Exit(code)
