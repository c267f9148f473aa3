"""Whose faults those of `fleet.yaml` are: every cluster reads it, each with values of its own."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.fault import Fault, Mark, Problem
from charts_py.cluster_file.translation import MISSING


def faults_of_fleet(by_file: Mapping[Path, Sequence[Fault]], fleet: Path | None) -> Iterator[Fault]:
    """Yield the faults of all cluster files, as they are reported together.

    One in the fleet's file that not all clusters have names who has. Where there is no such file,
    what all clusters lack may have stood there. A cluster whose own file cannot be read has no
    fault that follows from both.
    """
    read = {file: faults for file, faults in by_file.items() if all(f.problem.path for f in faults)}
    if fleet is None and len(read) > 1:
        yield from _lacking(read)
    readers: dict[Fault, list[str]] = {}
    for file in sorted(by_file):
        for fault in dict.fromkeys(by_file[file]):
            readers.setdefault(fault, []).append(file.stem)
    for fault, names in readers.items():
        is_of_some = fault.mark.file == str(fleet) and not {f.stem for f in read}.issubset(names)
        yield _read_by(fault, names) if is_of_some else fault


def _read_by(fault: Fault, names: Sequence[str]) -> Fault:
    verb = "reads" if len(names) == 1 else "read"
    what = f"{fault.problem.what}, as {', '.join(names)} {verb} it"
    return replace(fault, problem=replace(fault.problem, what=what))


def _lacking(by_file: Mapping[Path, Sequence[Fault]]) -> Iterator[Fault]:
    if lacked := sorted(set.intersection(*map(_fields_lacking, by_file.values()))):
        mark = Mark(str(next(iter(by_file)).parent / FLEET_FILE), 1)
        what = f"no such file, and every cluster lacks {', '.join(lacked)}"
        yield Fault(mark, Problem((), what, "a file with what clusters share"))


def _fields_lacking(faults: Sequence[Fault]) -> set[str]:
    """Return the fields of a cluster file that are missing, or of which a part is."""
    return {str(each.problem.path[0]) for each in faults if each.problem.what == MISSING}
