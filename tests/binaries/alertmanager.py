"""Alertmanager, without its web interface."""

import shutil
import tempfile
from pathlib import Path

from tests.binaries.pinned_module import MODULE_ALERTMANAGER, PinnedModule
from tests.binaries.pinned_program import CACHE, PinnedProgram

_MODULE = "github.com/prometheus/alertmanager"

ALERTMANAGER_VERSION = MODULE_ALERTMANAGER.version(_MODULE)


def build_alertmanager() -> Path:
    """Return the program, built where it is missing; raise BuildError.

    It embeds its web interface, which its module does not hold: a release builds that with Node
    before. Go replaces no file of a module (`go help build`, `-overlay`), so that it is built in a
    copy, where an empty page stands for the interface.
    """
    copy = CACHE / f"alertmanager-{ALERTMANAGER_VERSION}-source"
    if not copy.is_dir():
        _copy(MODULE_ALERTMANAGER.source(_MODULE), copy)
    return PinnedProgram("alertmanager", "./cmd/alertmanager", module=PinnedModule(copy)).build()


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        copy = Path(folder) / target.name
        shutil.copytree(source, copy, copy_function=shutil.copyfile)
        # Go keeps the folders of modules read-only.
        for each in (copy, *filter(Path.is_dir, copy.rglob("*"))):
            each.chmod(0o755)
        page = copy / "ui" / "app" / "dist" / "index.html"
        page.parent.mkdir()
        page.touch()
        copy.replace(target)
