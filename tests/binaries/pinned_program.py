"""The programs of other projects, which one Go module pins; built once and kept between runs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from upstream.go_toolchain import GoError, GoProgram

MODULE = Path(__file__).resolve().parent / "module"
"""The folder of go.mod and go.sum."""

_CACHE = Path(__file__).resolve().parents[2] / ".tools" / "binaries"

# Nobody debugs these programs: without debugging data they compile and link in less time.
_FLAGS = ("-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false")


class BuildError(Exception):
    """Why there is no program to run; the message is complete."""


@dataclass(frozen=True, slots=True)
class PinnedProgram:
    """A program of the module."""

    name: str
    package: str
    variables: tuple[str, ...] = ()
    """What its build sets, as `package.name=value`."""

    def build(self) -> Path:
        """Return it, built where it is missing; raise BuildError."""
        target = self._folder / self.name
        announcement = f"building {self.name} of {MODULE} (some minutes)"
        try:
            GoProgram(self.package, announcement, self._flags, MODULE).build(target)
        except GoError as error:
            message = f"{self.name} cannot be built in {MODULE}:\n{error}"
            raise BuildError(message) from error
        return target

    @property
    def _flags(self) -> tuple[str, ...]:
        variables = [word for each in self.variables for word in ("-X", each)]
        return (*_FLAGS, "-ldflags", " ".join(["-s", "-w", *variables]))

    @property
    def _folder(self) -> Path:
        """A folder that is named by all that decides what the program is."""
        digest = hashlib.sha256("\n".join([self.package, *self._flags]).encode())
        for file in ("go.mod", "go.sum"):
            digest.update((MODULE / file).read_bytes())
        return _CACHE / f"{self.name}-{digest.hexdigest()[:16]}"
