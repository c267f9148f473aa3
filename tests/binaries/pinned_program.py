"""The programs of other projects, which Go modules pin; built once and kept between runs."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from tests.binaries.pinned_module import MODULE, BuildError, PinnedModule
from upstream.go_toolchain import GoError, GoProgram

HELM_VERSION = MODULE.version("helm.sh/helm/v4")


@dataclass(frozen=True, slots=True)
class PinnedProgram:
    name: str
    package: str
    variables: tuple[str, ...] = ()
    """What its build sets, as `package.name=value`."""
    module: PinnedModule = MODULE
    """The one that pins it."""

    def build(self) -> Path:
        """Return it, built where it is missing; raise BuildError."""
        target = self._folder / self.name
        folder = self.module.folder
        announcement = f"building {self.name} of {folder} (some minutes)"
        try:
            GoProgram(self.package, announcement, self._flags, folder).build(target)
        except GoError as error:
            message = f"{self.name} cannot be built in {folder}:\n{error}"
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
        for file in self.module.pins:
            digest.update(file.read_bytes())
        return CACHE / f"{self.name}-{digest.hexdigest()[:16]}"


HELM = PinnedProgram(
    "helm",
    "helm.sh/helm/v4/cmd/helm",
    (f"helm.sh/helm/v4/internal/version.version=v{HELM_VERSION}",),
)
CACHE = Path(__file__).resolve().parents[2] / ".tools" / "binaries"
"""Where programs are kept between runs."""
# Nobody debugs these programs: without debugging data they compile and link in less time.
_FLAGS = ("-trimpath", "-buildvcs=false", "-gcflags=all=-dwarf=false")
