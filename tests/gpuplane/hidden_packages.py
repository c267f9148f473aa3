"""Running the command line as if some packages were not installed."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

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


def ended_without(
    cases: Iterable[tuple[Iterable[str], Iterable[str]]], imported: Iterable[str], folder: Path
) -> list[tuple[int, str]]:
    """Return exit codes and what is printed on stderr where `gpuplane` runs without packages.

    Each case has packages and arguments. All are children of one interpreter, which has imported
    some packages of others before, so that not each of them takes the time.
    """
    request = {
        "cases": [(sorted(hidden), list(arguments)) for hidden, arguments in cases],
        "imported": list(imported),
    }
    done = subprocess.run(
        [sys.executable, "-P", str(Path(__file__).with_name("run_without.py"))],
        cwd=folder,
        input=json.dumps(request),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=600,
    )
    return [(code, printed) for code, printed in json.loads(done.stdout)]
