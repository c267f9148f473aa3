"""Errors that a user can fix, and their words."""

import sys
from typing import TypeAlias

Errors: TypeAlias = tuple[type[Exception], ...]


def expected_errors() -> Errors:
    """Return all of them."""
    return (*wrong_input(), *environment(), OSError)


def wrong_input() -> Errors:
    """Return the errors that the user's arguments and files cause."""
    errors: Errors = (FileNotFoundError, FileExistsError)
    if "charts_py" in sys.modules:
        from charts_py.cluster_file.fault import SpecError
        from charts_py.platform.render_error import RenderError
        from gpuplane.adoption.found_object import AdoptionError
        from gpuplane.new_repository.repository import FolderError
        from gpuplane.new_repository.source import SourceError
        from gpuplane.versions.dist_error import DistError

        errors += (SpecError, RenderError, DistError, SourceError, FolderError, AdoptionError)
    return errors


def environment() -> Errors:
    """Return the errors that the machine causes, besides OSError.

    The image of the webhook contains neither charts_py nor upstream; a package that is not loaded
    has not raised anything.
    """
    errors: Errors = ()
    if "charts_py" in sys.modules:
        from gpuplane.pull_request.hosts import HostError
        from gpuplane.versions.git import GitError

        errors += (GitError, HostError)
    if "upstream" in sys.modules:
        from upstream.error import UpstreamError

        errors += (UpstreamError,)
    return errors


def error_message(error: object) -> str:
    """Return an error in words; the operating system's has a number that says nothing."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'output'}: {error.strerror}"
    return str(error)
