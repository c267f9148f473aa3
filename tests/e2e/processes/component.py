"""Components as processes of their own, which never outlive the tests, and whether they answer."""

import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import urllib3

from tests.e2e.polling import polls

_ANSWER_SECONDS = 5
_START_SECONDS = 60
_STOP_SECONDS = 5
_QUOTED_LINES = 20
_GARBAGE: Mapping[str, str] = {"GOGC": "400", "GOMEMLIMIT": "1536MiB"}
"""Components in Go collect their garbage less often, unless the user says how often: memory for
time, up to a bound from which they collect as often as it takes."""


class ComponentError(Exception):
    """A component did not start, or ended by itself; the message quotes the end of its log."""


@dataclass(frozen=True, slots=True)
class ComponentProcess:
    name: str
    log: Path
    process: subprocess.Popen[bytes]

    def wait_until(self, what: str, is_so: Callable[[], bool]) -> None:
        """Wait for a condition; raise ComponentError where the process ends or takes too long."""
        for _ in polls(_START_SECONDS):
            self.require_running()
            if is_so():
                return
        raise ComponentError(self._quoted(f"not {what} within {_START_SECONDS} s"))

    def require_running(self) -> None:
        """Raise ComponentError where the process has ended."""
        if (code := self.process.poll()) is not None:
            raise ComponentError(self._quoted(f"ended with exit code {code}"))

    def stop(self) -> None:
        """Ask the process to end, and after a while make all of its group end."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        finally:
            _kill_group(self.process.pid)
            self.process.wait(_STOP_SECONDS)

    def _quoted(self, what: str) -> str:
        end = "\n".join(last_lines(self.log, _QUOTED_LINES))
        return f"{self.name} {what}; the end of {self.log}:\n{end}"


@contextmanager
def component(
    name: str,
    command: Sequence[str | Path],
    logs: Path,
    environment: Mapping[str, str] | None = None,
) -> Iterator[ComponentProcess]:
    """Run a component, its output in `<name>.log`, until the context ends.

    The log of one that is run again is `<name>-2.log`, and so on.

    Raises ComponentError in the end where it ended by itself before. The kernel kills it where the
    thread that started it dies, whatever that dies of (setpriv(1), `--pdeathsig`).
    """
    log = _new_log(logs, name)
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *command],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env={**_GARBAGE, **os.environ, **(environment or {})},
            process_group=0,
        )
    running = ComponentProcess(name, log, process)
    with ExitStack() as stack:
        stack.callback(running.stop)
        yield running
        running.require_running()


def answers(url: str, authority: Path | None = None) -> bool:
    """Tell whether a URL answers 200; an https one is trusted by an authority's PEM file."""
    trusted = None if authority is None else str(authority)
    with urllib3.PoolManager(retries=False, timeout=_ANSWER_SECONDS, ca_certs=trusted) as pool:
        try:
            return pool.request("GET", url).status == 200
        except urllib3.exceptions.HTTPError:
            return False


def free_ports(count: int) -> list[int]:
    """Return ports of the loopback address that nobody listens on, no two alike."""
    with ExitStack() as stack:
        held = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [int(each.getsockname()[1]) for each in held]


def last_lines(file: Path, count: int, start: int = 0) -> list[str]:
    """Return the last lines of a file, of those that begin at an offset or after it."""
    with file.open("rb") as stream:
        stream.seek(start)
        return stream.read().decode(errors="replace").splitlines()[-count:]


def _new_log(logs: Path, name: str) -> Path:
    names = (f"{name}.log" if number == 1 else f"{name}-{number}.log" for number in count(1))
    return next(log for each in names if not (log := logs / each).exists())


def _kill_group(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return
