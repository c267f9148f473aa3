"""The program helm, run with nothing of the machine's around it."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from upstream.lock import UpstreamError
from upstream.schema_files import committed_schemas, core_folder

_STABLE = re.compile(r"v\d+")
"""A stable version; an API server serves others only where it is told to.
https://kubernetes.io/docs/reference/using-api/#api-versioning"""
MAJOR = 4
"""Major version of Helm. Another may render the same chart differently."""
INSTALLING = "https://helm.sh/docs/intro/install/"
_TIMEOUT_SECONDS = 120
_MAX_BYTES = 64 * 2**20
_LIMITS = {resource.RLIMIT_FSIZE: _MAX_BYTES + 1, resource.RLIMIT_AS: 3 * 2**30}
"""Bytes of each output, one more than fits, and of address space, of which Go reserves over half a
GiB."""
_STACK = re.compile(r"\n\n(?:runtime stack|goroutine )[\s\S]*")
"""Stands below an error of Go's own, as where memory ends."""
_SELDOM_COLLECTING = {"GOGC": "400"}
"""Helm ends before its garbage matters: it takes a quarter less time, and 10 MB more.
https://go.dev/doc/gc-guide#GOGC"""
_ERROR = re.compile(r"^Error: ", re.MULTILINE)
"""Begins what Helm says last; before it stands what it logs."""


class HelmError(Exception):
    """Why a chart cannot be rendered."""


@dataclass(frozen=True, slots=True)
class Helm:
    """A Helm of the right major version."""

    program: Path

    def template(self, arguments: Sequence[str | Path]) -> str:
        """Return what `helm template` prints.

        Raises HelmError with what it says instead, and UpstreamError where it was stopped.
        """
        done = run_alone(self.program, ["template", *arguments], limits=_LIMITS)
        if len(done.stdout) > _MAX_BYTES:
            raise HelmError(f"helm prints more than {_MAX_BYTES // 2**20} MiB")
        if done.returncode:
            raise _failure(self.program, done)
        try:
            return done.stdout.decode()
        except UnicodeDecodeError as error:
            byte = done.stdout[error.start]
            raise HelmError(f"helm prints the byte 0x{byte:02X}, which is not UTF-8") from error


def find_helm(wanted_by: str = "gitops.charts: rendered") -> Helm:
    """Return the Helm on PATH; raise UpstreamError where there is none, or another version."""
    wanted = f"{wanted_by} needs Helm {MAJOR} on PATH: {INSTALLING}"
    found = shutil.which("helm")
    if found is None:
        raise UpstreamError(f"helm is not on PATH; {wanted}")
    program = Path(found).absolute()
    output = _text(run_alone(program, ["version", "--template", "{{.Version}}"]).stdout).strip()
    version = re.fullmatch(r"v(\d+)\.\S+", output)
    if version is None or int(version[1]) != MAJOR:
        raise UpstreamError(f"{program} is Helm {output or 'of no version'}; {wanted}")
    return Helm(program)


def _failure(program: Path, done: subprocess.CompletedProcess[bytes]) -> Exception:
    """Return why nothing is rendered; what stops a program is not a fault of the chart."""
    if done.returncode < 0:
        name = signal.strsignal(-done.returncode)
        return UpstreamError(
            f"{program} was stopped by signal {-done.returncode} ({name}), as by the system where "
            "memory runs out"
        )
    said = _STACK.sub("", _ERROR.split(_text(done.stderr))[-1]).strip()
    return HelmError(said or f"helm ends with exit code {done.returncode} and no reason")


def run_alone(
    program: Path,
    arguments: Sequence[str | Path],
    environment: Mapping[str, str] | None = None,
    seconds: float = _TIMEOUT_SECONDS,
    limits: Mapping[int, int] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run it with a home of its own: no plugin, repository or cluster of the user's is known.

    `environment` takes the place of PATH, and `limits` are those of the module `resource`. Raises
    UpstreamError where it cannot be run, or does not end.
    """

    def hold() -> None:
        for kind, most in (limits or {}).items():
            with suppress(ValueError, OSError):  # a lower one holds, or the system knows none
                resource.setrlimit(kind, (most, most))

    added = {"PATH": os.environ.get("PATH", "")} if environment is None else environment
    with (
        ended_by_sigterm(),
        tempfile.TemporaryDirectory(prefix="gpuplane-run-") as home,
        tempfile.TemporaryFile() as stdout,
        tempfile.TemporaryFile() as stderr,
    ):
        try:
            done = subprocess.run(  # noqa: S603 # no shell; the program that PATH names
                [program, *arguments],
                env={"HOME": home, **_SELDOM_COLLECTING, **added},
                cwd=home,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                timeout=seconds,
                preexec_fn=hold if limits else None,  # no thread runs beside it
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UpstreamError(f"{program} cannot be run: {error}") from error
        stdout.seek(0)
        stderr.seek(0)
        return subprocess.CompletedProcess(done.args, done.returncode, stdout.read(), stderr.read())


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Have SIGTERM end this process as an exception does, after what it has begun."""
    is_default = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    if not is_default or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _text(said: bytes) -> str:
    return said.decode(errors="replace")


@cache
def api_versions(kubernetes: str) -> tuple[str, ...]:
    """Return the stable API versions of a Kubernetes minor and the kinds in each.

    Helm takes them in addition to the API versions that it knows; it knows no kinds itself.
    Argo CD passes it both forms of all that the cluster serves:
    https://github.com/argoproj/argo-cd/blob/v3.5.7/util/argo/argo.go (APIResourcesToStrings).
    """
    found = set[str]()
    for file in (committed_schemas() / core_folder(kubernetes)).rglob("*.json"):
        if _STABLE.fullmatch(file.stem.rpartition("_")[2]):
            frame = json.loads(file.read_bytes())["properties"]
            (version,), (kind,) = frame["apiVersion"]["enum"], frame["kind"]["enum"]
            found |= {version, f"{version}/{kind}"}
    return tuple(sorted(found))
