"""A folder with Pyodide, Python for browsers, and with msgspec for it.

Nothing is downloaded: whoever writes a page has the npm package, and the wheel of msgspec, the one
package that the rules need which is not pure Python. https://pyodide.org/en/stable/
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TESTED = "314.0.7"
"""The version of Pyodide that its tests ran last."""
_RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
_LOCK = "pyodide-lock.json"
_PACKAGE = "msgspec"


def read_pyodide(folder: Path) -> dict[str, bytes]:
    """Return the files that a page needs, by name.

    Raises FileNotFoundError, which says what is missing and how to get it.
    """
    for name in (*_RUNTIME, _LOCK):
        if not (folder / name).is_file():
            raise FileNotFoundError(
                f"{folder}: no {name}; allowed: the npm package pyodide, as this has it: "
                f"npm install pyodide@{TESTED}"
            )
    info = json.loads((folder / _LOCK).read_bytes())["info"]
    return {
        **{name: (folder / name).read_bytes() for name in _RUNTIME},
        # Without packages, so that none is ever loaded from elsewhere.
        _LOCK: json.dumps({"info": info, "packages": {}}).encode(),
        f"{_PACKAGE}.whl": _wheel(folder, info),
    }


def _wheel(folder: Path, info: Mapping[str, Any]) -> bytes:
    minor = str(info["python"]).rpartition(".")[0]
    tag = f"cp{minor.replace('.', '')}"
    platform = f"pyemscripten_{info['abi_version']}_{info['arch']}"
    found = sorted(folder.glob(f"{_PACKAGE}-*-{tag}-{tag}-{platform}.whl"))
    if not found:
        raise FileNotFoundError(
            f"{folder}: no {_PACKAGE} for this Pyodide; to get it: pip download {_PACKAGE} "
            f"--no-deps --only-binary :all: --python-version {minor} --platform {platform} "
            f"--dest {folder}"
        )
    return found[-1].read_bytes()
