"""What admission changes in an object, line by line."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import to_yaml
from gpuplane.playground.answer import DiffLine

_AROUND = 3
"""Lines that are shown before and after a change, as diff has it."""
_MAX_EXACT = 500
"""Lines of a side up to which even frequent ones are used to find what belongs together. Time
grows with the cube of such lines: a pod of 14 KB with 200 containers took seconds."""
_BETWEEN = DiffLine("@", "")


def manifest_diff(before: Document, after: Document) -> tuple[DiffLine, ...]:
    """Return what differs, both sides written as YAML in the same way; nothing where they agree.

    So comments are left out, and anchors.
    """
    if before == after:
        return ()
    old, new = to_yaml(before).splitlines(), to_yaml(after).splitlines()
    lines: list[DiffLine] = []
    matcher = SequenceMatcher(None, old, new, autojunk=max(len(old), len(new)) > _MAX_EXACT)
    for group in matcher.get_grouped_opcodes(_AROUND):
        if lines:
            lines.append(_BETWEEN)
        for tag, first, last, first_new, last_new in group:
            lines += _lines(tag, old[first:last], new[first_new:last_new])
    return tuple(lines)


def _lines(tag: str, old: list[str], new: list[str]) -> Iterator[DiffLine]:
    if tag == "equal":
        yield from (DiffLine(" ", line) for line in old)
        return
    yield from (DiffLine("-", line) for line in old)
    yield from (DiffLine("+", line) for line in new)
