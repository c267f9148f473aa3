"""Turning expected errors into a message on stderr and an exit code."""

import sys
from typing import Any, TypeAlias

import typer
from typer.core import TyperGroup

from gpuplane.exit_code import ExitCode
from gpuplane.optional_parts import how_to_install

_Errors: TypeAlias = tuple[type[Exception], ...]


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
        except _environment() as error:
            raise _reported(error, ExitCode.ENVIRONMENT) from error
        except _wrong_input() as error:
            raise _reported(error, ExitCode.WRONG_INPUT) from error
        except OSError as error:
            raise _reported(error, ExitCode.ENVIRONMENT) from error


def _wrong_input() -> _Errors:
    """Return the errors that the user's arguments and files cause."""
    errors: _Errors = (FileNotFoundError, FileExistsError)
    if "charts_py" in sys.modules:
        from charts_py.adoption.adoption_error import AdoptionError
        from charts_py.new_repository.folder_error import FolderError
        from charts_py.new_repository.source_error import SourceError
        from charts_py.platform.render_error import RenderError
        from charts_py.release.dist_error import DistError
        from charts_py.spec.fault import SpecError

        errors += (SpecError, RenderError, DistError, SourceError, FolderError, AdoptionError)
    return errors


def _environment() -> _Errors:
    """Return the errors that the machine causes, besides OSError.

    The image of the webhook contains neither charts_py nor upstream; a package that is not loaded
    has not raised anything.
    """
    errors: _Errors = ()
    if "charts_py" in sys.modules:
        from charts_py.pull_request.host_error import HostError
        from charts_py.release.git import GitError

        errors += (GitError, HostError)
    if "upstream" in sys.modules:
        from upstream.error import UpstreamError

        errors += (UpstreamError,)
    return errors


def _reported(error: object, code: ExitCode) -> typer.Exit:
    typer.echo(_message(error), err=True)
    return typer.Exit(code)


def _message(error: object) -> str:
    """Return an error in words; the operating system's has a number that says nothing."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'output'}: {error.strerror}"
    return str(error)
