"""The options that say what is printed of a workload, and where, and printing it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.terminal import print_document, print_styled

if TYPE_CHECKING:
    from gpuplane.workloads.workload import Workload

Explain = Annotated[
    bool, typer.Option("--explain", help="Say why fields are there, instead of the manifest.")
]
ToFile = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="File to write it to; - is stdout, the default."
    ),
]
_STDOUT = Path("-")
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Write to it though it exists.")]


def print_workload(
    workload: "Workload", output: Path | None, *, explain: bool, overwrite: bool
) -> None:
    """Print a workload, or why its fields are there, or write it to a file; its notes to stderr."""
    for note in workload.notes:
        print_styled(f"note: {note}", err=True)
    file = None if output == _STDOUT else output
    if file is not None:
        _write(workload, file, overwrite=overwrite)
    if explain:
        _print_reasons(workload)
    elif file is None:
        print_document(_manifest(workload))


def _manifest(workload: "Workload") -> str:
    from charts_py.objects.manifest_yaml import to_yaml

    return "---\n".join(map(to_yaml, workload.documents))


def _print_reasons(workload: "Workload") -> None:
    for one in workload.objects:
        kind = one.document["kind"]
        for reason in one.reasons:
            print_document(f"{kind}: {reason}\n")


def _write(workload: "Workload", file: Path, *, overwrite: bool) -> None:
    if file.is_dir():
        raise FileExistsError(f"{file}: a folder; allowed: a file")
    try:
        with file.open("w" if overwrite else "x", encoding="utf-8") as opened:
            opened.write(_manifest(workload))
    except FileExistsError:
        allowed = "allowed: another file, or --overwrite"
        raise FileExistsError(f"{file}: there already; {allowed}") from None
