"""The programs of a Go module, built once and kept between runs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from upstream.go_toolchain import GoError, GoProgram

CACHE = Path(__file__).resolve().parents[2] / ".tools" / "binaries"
_MODULES = Path(__file__).resolve().parent / "modules"


class BuildError(Exception):
    """Why there is no program to run; the message is complete."""


@dataclass(frozen=True, slots=True)
class GoModule:
    """A folder of `modules/` whose go.mod and go.sum pin what is built there."""

    name: str
    linker_flags: str
    programs: dict[str, str]
    """Package by the name of its program."""

    @property
    def source(self) -> Path:
        """The folder of go.mod."""
        return _MODULES / self.name

    @property
    def built(self) -> Path:
        """The folder of the programs, named by all that decides what they are."""
        digest = hashlib.sha256(self.linker_flags.encode())
        for file in ("go.mod", "go.sum"):
            digest.update((self.source / file).read_bytes())
        return CACHE / f"{self.name}-{digest.hexdigest()[:16]}"

    def build(self, program: str) -> Path:
        """Return a program of the module, built where it is missing; raise BuildError."""
        target = self.built / program
        flags = ("-trimpath", "-buildvcs=false", "-ldflags", self.linker_flags)
        announcement = f"building {program} of {self.source} (some minutes)"
        try:
            GoProgram(self.programs[program], announcement, flags, self.source).build(target)
        except GoError as error:
            message = f"{program} cannot be built in {self.source}:\n{error}"
            raise BuildError(message) from error
        return target
