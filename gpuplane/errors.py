"""Exit codes, and the errors that a user can fix, in words."""

import sys
from enum import IntEnum
from typing import TypeAlias

Errors: TypeAlias = tuple[type[Exception], ...]

_EXTRAS = {"mcp": "mcp", "serve": "webhook"}
"""The extra of each command that needs one."""

_EXTRA_OF_PACKAGE = {"kubernetes": "cluster"}
"""The extra of a package that only some uses of a command need."""

_OWN = (
    *("charts_py", "culling", "gpuplane", "gpus", "policies", "repair", "rounds", "upstream"),
    "webhook",
)
"""gpuplane's own packages; the webhook's image leaves out some of them."""

_DEVELOPMENT = ("kubernetes_validate",)
"""Packages that only gpuplane's own repository installs."""


class ExitCode(IntEnum):
    """Exit codes; each member's words appear in the help and in the reference."""

    FINE = 0
    FINDINGS = 1
    WRONG_INPUT = 2
    ENVIRONMENT = 3
    INTERRUPTED = 130

    @property
    def words(self) -> str:
        return {
            ExitCode.FINE: "success",
            ExitCode.FINDINGS: "`--check`, `--fail-on`, `validate`, `lint` or `admit` found "
            "something, or a rule refuses a promotion",
            ExitCode.WRONG_INPUT: "wrong arguments or files; each fault is a line on stderr",
            ExitCode.ENVIRONMENT: "a tool or file on the machine is missing or cannot be reached",
            ExitCode.INTERRUPTED: "interrupted, as by Ctrl-C",
        }[self]


EXIT_CODES = "Exit codes:\n\n" + "\n".join(f"- `{code.value}`: {code.words}" for code in ExitCode)
"""Ends the help of every command."""


def expected_errors() -> Errors:
    return (*wrong_input(), *environment(), OSError)


def wrong_input() -> Errors:
    """List the errors that the user's arguments and files cause."""
    errors: Errors = (FileNotFoundError, FileExistsError)
    if "charts_py" in sys.modules:
        from charts_py.cluster_file.fault import RenderError, SpecError
        from gpuplane.adoption.found_object import AdoptionError
        from gpuplane.versions.tree import DistError

        errors += (SpecError, RenderError, DistError, AdoptionError)
    if "gpuplane.new_repository.source" in sys.modules:  # it imports half of the standard library
        from gpuplane.new_repository.source import InitError

        errors += (InitError,)
    return errors


def environment() -> Errors:
    """List the errors that the machine causes, besides OSError.

    The image of the webhook contains neither charts_py nor upstream; a package that is not loaded
    has not raised anything.
    """
    errors: Errors = ()
    if "charts_py" in sys.modules:
        from gpuplane.versions.git import GitError

        errors += (GitError,)
    if "gpuplane.host_api" in sys.modules:  # it imports an HTTP client
        from gpuplane.host_api import HostError

        errors += (HostError,)
    if "upstream" in sys.modules:
        from upstream.lock import UpstreamError

        errors += (UpstreamError,)
    return errors


def error_message(error: object) -> str:
    # The operating system puts a number before its words.
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'output'}: {error.strerror}"
    return str(error)


def how_to_install(command: str, error: ModuleNotFoundError) -> str | None:
    """Return a line that names what a command lacks and how to install it.

    It is None for a missing module of one of gpuplane's packages: nothing else brings that.
    """
    package, _, module = (error.name or "").partition(".")
    if not package or (package in _OWN and module):
        return None
    if package in _OWN:
        return _line(command, "what the webhook's image leaves out")
    if package in _DEVELOPMENT:
        return f"gpuplane {command}: needs {package}; `make lint` in gpuplane's repository has it"
    return _line(command, f"the Python package {package}", _EXTRA_OF_PACKAGE.get(package))


def _line(command: str, missing: str, extra: str | None = None) -> str:
    extra = extra or _EXTRAS.get(command)
    # Not from an index by its name, which anybody could publish there.
    source = f"'./SOURCE[{extra}]'" if extra else "./SOURCE"
    return (
        f"gpuplane {command}: needs {missing}; to install it: pip install {source}, "
        "where SOURCE is the wheel or checkout that gpuplane was installed from"
    )
