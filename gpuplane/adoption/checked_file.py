"""Trying a cluster file before anybody writes it."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from charts_py.cluster_file.fault import Fault, SpecError
from charts_py.load import load_platform
from charts_py.platform.platform import Platform
from gpuplane.adoption.commented import one_line


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """The text of a cluster file, and what the parser says of it."""

    text: str
    """With each fault as a comment above its line."""
    platform: Platform | None
    """None where there are faults."""
    faults: tuple[Fault, ...] = ()


def check_file(text: str, name: str, fleet: Path | None) -> CheckedFile:
    """Read a text as the file of a cluster of this name, over what the fleet shares.

    Raises SpecError with the faults of the fleet's own file.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.yaml"
        _copy_others(fleet, file.parent)
        file.write_text(text, encoding="utf-8")
        try:
            return CheckedFile(text, load_platform(file, fleet))
        except SpecError as error:
            others = [fault for fault in error.faults if fault.mark.file != str(file)]
            if others:
                raise SpecError(others) from error
            return CheckedFile(_with_comments(text, error.faults), None, error.faults)


def _copy_others(fleet: Path | None, folder: Path) -> None:
    """Copy the other cluster files of the fleet, which the file may be one with."""
    for other in fleet.parent.glob("*.yaml") if fleet else ():
        if other.is_file():
            shutil.copyfile(other, folder / other.name)


def _with_comments(text: str, faults: tuple[Fault, ...]) -> str:
    """Return the text with each fault above its line."""
    lines = text.splitlines()
    for fault in sorted(faults, key=lambda fault: fault.mark.line, reverse=True):
        at = min(fault.mark.line, len(lines)) - 1
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        said = str(fault).removeprefix(f"{fault.mark}: ")
        lines.insert(at, f"{indent}# FAULT {one_line(said)}")
    return "\n".join([*lines, ""])
