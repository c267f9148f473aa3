"""KEDA's HTTP add-on: the interceptor, and the scaler that KEDA asks."""

from pathlib import Path

from tests.binaries.pinned_module import MODULE_HTTP_ADD_ON, PinnedModule
from tests.binaries.pinned_program import CACHE, PinnedProgram
from tests.binaries.source_copy import copy_source

_MODULE = "github.com/kedacore/http-add-on"

HTTP_ADD_ON_VERSION = MODULE_HTTP_ADD_ON.version(_MODULE)


def build_http_add_on(part: str) -> Path:
    """Return `interceptor` or `scaler`, built where it is missing; raise BuildError.

    They listen on all addresses of a machine, and no option says otherwise: they are built in a
    copy, where they listen on loopback.
    """
    copy = CACHE / f"http-add-on-{HTTP_ADD_ON_VERSION}-source"
    copy_source(MODULE_HTTP_ADD_ON.source(_MODULE), copy, _listen_on_loopback)
    return PinnedProgram(f"keda-http-{part}", f"./{part}", module=PinnedModule(copy)).build()


def _listen_on_loopback(copy: Path) -> None:
    for file in (copy / part / "main.go" for part in ("interceptor", "scaler")):
        stated = file.read_text(encoding="utf-8")
        file.write_text(stated.replace('"0.0.0.0:%d"', '"127.0.0.1:%d"'), encoding="utf-8")


def http_add_on_crds() -> tuple[Path, ...]:
    """Return the definitions of its kinds, which come with its source; raise BuildError."""
    folder = MODULE_HTTP_ADD_ON.source(_MODULE) / "config" / "crd" / "bases"
    return tuple(sorted(folder.glob("*.yaml")))
