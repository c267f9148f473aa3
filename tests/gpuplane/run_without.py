"""Runs `gpuplane` several times, each without some packages, in children of one interpreter.

What it reads on stdin names packages to import before, and cases: hidden packages and arguments. It
writes the exit code of each, and what it printed on stderr.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
from dataclasses import dataclass
from typing import NoReturn

_NO_EXIT = 250
"""Exit code of a case that ends in another way than by `sys.exit`."""


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
    request = json.load(sys.stdin)
    for package in request["imported"]:
        importlib.import_module(package)
    json.dump([_ended(frozenset(hid), list(args)) for hid, args in request["cases"]], sys.stdout)
