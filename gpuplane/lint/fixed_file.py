"""A manifest before and after its findings are fixed."""

import difflib
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from gpuplane.lint.finding import LintFinding
from gpuplane.lint.lint_source import LintSource
from gpuplane.written_files import write_files

_NO_NEWLINE = "\\ No newline at end of file"


class UnfixedFinding(NamedTuple):
    """A finding with a fix that is not written."""

    finding: LintFinding
    why: str
    """As the end of a sentence."""

    def __str__(self) -> str:
        found = self.finding
        return f"{found.start}: {found.subject}: {found.rule} is not fixed, since {self.why}"


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A manifest before and after."""

    source: LintSource
    """Before."""
    after: bytes
    fixed: tuple[LintFinding, ...] = ()
    """In the order in which they were; each at its line at that time."""
    unfixed: tuple[UnfixedFinding, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether it is to be written."""
        return self.after != self.source.content

    def diff(self) -> Iterator[str]:
        """Yield the lines of a unified diff, each with the end that it has in the file."""
        before, after = (_lines(each) for each in (self.source.content, self.after))
        name = _quoted(self.source.shown_as)
        for line in difflib.unified_diff(before, after, name, name):
            yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n"


def _quoted(name: str) -> str:
    """Return the name of a file as git writes it in a patch, in quotes where it needs some.

    https://git-scm.com/docs/git-config#Documentation/git-config.txt-corequotePath
    """
    if name.isprintable() and not any(each in name for each in '"\\'):
        return name
    return f'"{"".join(map(_octal, os.fsencode(name)))}"'


def _octal(byte: int) -> str:
    letter = chr(byte)
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isascii() and letter.isprintable() else f"\\{byte:03o}"


def _lines(content: bytes) -> list[str]:
    # What else Python takes for the end of a line is part of one.
    return io.StringIO(content.decode(), newline="\n").readlines()


def write_fixed(files: Sequence[FixedFile]) -> None:
    """Write the files that are changed, all or none; raise OSError.

    What somebody else has written into one since it was read is not lost.
    """
    changed = {Path(each.source.shown_as): each for each in files if each.is_changed}
    if changed:
        parents = [file.absolute().parent for file in changed]
        before = {file: each.source.content for file, each in changed.items()}
        after = {file: each.after for file, each in changed.items()}
        write_files(Path(os.path.commonpath(parents)), after, before)
