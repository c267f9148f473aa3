"""Turning expected errors into a message on stderr and an exit code."""

import sys
from typing import Any, TypeAlias

import typer
from typer.core import TyperGroup

from gpuplane.exit_code import ExitCode

_Errors: TypeAlias = tuple[type[Exception], ...]

_ABSENT_FROM_IMAGE = ("charts_py", "upstream")
"""Packages that the image of the webhook does not contain."""


class ReportingGroup(TyperGroup):
    """Runs a command; errors that a user can fix are reported without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that the arguments name."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise
        except ModuleNotFoundError as error:
            raise _reported(_not_installed(ctx, error), ExitCode.ENVIRONMENT) from error
        except _environment() as error:
            raise _reported(error, ExitCode.ENVIRONMENT) from error
        except _wrong_input() as error:
            raise _reported(error, ExitCode.WRONG_INPUT) from error
        except OSError as error:
            raise _reported(error, ExitCode.ENVIRONMENT) from error


def _not_installed(ctx: Any, error: ModuleNotFoundError) -> str:
    command = f"gpuplane {ctx.invoked_subcommand}"
    if error.name in _ABSENT_FROM_IMAGE:
        return f"{command}: not available in the webhook's image; install gpuplane[render]"
    extra = "webhook" if ctx.invoked_subcommand == "serve" else "render"
    return f"{command}: no module {error.name}; install gpuplane[{extra}]"


def _wrong_input() -> _Errors:
    """Return the errors that the user's arguments and files cause."""
    errors: _Errors = (FileNotFoundError, FileExistsError)
    if "charts_py" in sys.modules:
        from charts_py.platform.render_error import RenderError
        from charts_py.release.dist_error import DistError
        from charts_py.spec.fault import SpecError

        errors += (SpecError, RenderError, DistError)
    return errors


def _environment() -> _Errors:
    """Return the errors that the machine causes, besides OSError.

    The image of the webhook contains neither charts_py nor upstream; a package that is not loaded
    has not raised anything.
    """
    errors: _Errors = ()
    if "charts_py" in sys.modules:
        from charts_py.release.git import GitError

        errors += (GitError,)
    if "upstream" in sys.modules:
        from upstream.error import UpstreamError

        errors += (UpstreamError,)
    return errors


def _reported(error: object, code: ExitCode) -> typer.Exit:
    typer.echo(str(error), err=True)
    return typer.Exit(code)
