"""Running `gpuplane` as if some packages were not installed.

As a script, this hides the packages of its first argument and runs `gpuplane` with the others. It
runs several cases, each in a child of one interpreter, without any argument: it reads packages to
import before and cases from stdin, and writes the exit code and the stderr of each.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_SCRIPT = (sys.executable, "-P", __file__)
_NO_EXIT = 250
"""Exit code of a case that ends in another way than by `sys.exit`."""


def command_without(packages: Iterable[str]) -> list[str]:
    """Return the command that runs `gpuplane` without these packages, to which arguments add."""
    return [*_SCRIPT, ",".join(packages)]


def ended_without(
    cases: Iterable[tuple[Iterable[str], Iterable[str]]], imported: Iterable[str], folder: Path
) -> list[tuple[int, str]]:
    """Return exit codes and stderr of `gpuplane` without packages; a case is packages, arguments.

    All are children of one interpreter, which has imported some packages of others before, so that
    not each of them takes the time.
    """
    request = {
        "cases": [(sorted(hidden), list(arguments)) for hidden, arguments in cases],
        "imported": list(imported),
    }
    done = subprocess.run(
        _SCRIPT,
        cwd=folder,
        input=json.dumps(request),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=600,
    )
    return [(code, printed) for code, printed in json.loads(done.stdout)]


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds nothing of some packages, whose modules are not imported yet."""

    hidden: frozenset[str]

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] in self.hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def _run(hidden: frozenset[str], arguments: list[str]) -> NoReturn:
    for name in [each for each in sys.modules if each.partition(".")[0] in hidden]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Finder(hidden))
    sys.argv = ["gpuplane", *arguments]
    from gpuplane.__main__ import main

    main()
    os._exit(_NO_EXIT)


def _ended(hidden: frozenset[str], arguments: list[str]) -> tuple[int, str]:
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if not child:
            os.dup2(errors.fileno(), 2)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            try:
                _run(hidden, arguments)
            except SystemExit as left:
                sys.stderr.flush()
                os._exit(left.code if isinstance(left.code, int) else left.code is not None)
            finally:
                os._exit(_NO_EXIT)
        _, status = os.waitpid(child, 0)
        errors.seek(0)
        return os.waitstatus_to_exitcode(status), errors.read().decode()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _run(frozenset(sys.argv[1].split(",")), sys.argv[2:])
    request = json.load(sys.stdin)
    for package in request["imported"]:
        importlib.import_module(package)
    json.dump([_ended(frozenset(hid), list(args)) for hid, args in request["cases"]], sys.stdout)
