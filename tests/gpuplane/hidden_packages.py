"""Running the command line as if some packages were not installed."""

import sys
from collections.abc import Iterable

_CODE = """
import sys
hidden = set(sys.argv.pop(1).split(","))
class Hidden:
    def find_spec(self, name, *_):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Hidden())
from gpuplane.__main__ import main
main()
"""


def command_without(packages: Iterable[str]) -> list[str]:
    """Return the command that runs `gpuplane` without these packages, to which arguments add."""
    return [sys.executable, "-c", _CODE, ",".join(packages)]
