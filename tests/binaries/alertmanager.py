"""Alertmanager, without its web interface."""

from pathlib import Path

from tests.binaries.pinned_module import MODULE_ALERTMANAGER, PinnedModule
from tests.binaries.pinned_program import CACHE, PinnedProgram
from tests.binaries.source_copy import copy_source

_MODULE = "github.com/prometheus/alertmanager"

ALERTMANAGER_VERSION = MODULE_ALERTMANAGER.version(_MODULE)


def build_alertmanager() -> Path:
    """Return the program, built where it is missing; raise BuildError.

    It embeds its web interface, which its module does not hold: a release builds that with Node
    before. It is built in a copy, where an empty page stands for the interface.
    """
    copy = CACHE / f"alertmanager-{ALERTMANAGER_VERSION}-source"
    copy_source(MODULE_ALERTMANAGER.source(_MODULE), copy, _add_page)
    return PinnedProgram("alertmanager", "./cmd/alertmanager", module=PinnedModule(copy)).build()


def _add_page(copy: Path) -> None:
    page = copy / "ui" / "app" / "dist" / "index.html"
    page.parent.mkdir()
    page.touch()
