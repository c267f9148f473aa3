"""Writing new values as lines of YAML."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gpuplane.edits.block_style import BlockStyle
from gpuplane.edits.scalar_text import scalar_text

DASH = 2
"""How far an item is set in within its dash."""


class Written(NamedTuple):
    """A value behind a key or a dash."""

    head: str
    """What follows on the same line."""
    lines: tuple[str, ...] = ()
    """Those below, at the margin."""


def written(value: Any, style: BlockStyle) -> Written:
    """Return a value as it is written in a block."""
    if value and isinstance(value, dict):
        members = (member_lines(name, inner, style) for name, inner in value.items())
        return Written("", tuple(line for lines in members for line in lines))
    if value and isinstance(value, list):
        items = (item_lines(item, style) for item in value)
        return Written("", tuple(line for lines in items for line in lines))
    if isinstance(value, str) and _is_literal(value):
        *lines, after = value.split("\n")
        return Written("|-", (*lines, after)) if after else Written("|", tuple(lines))
    return Written(scalar_text(value, style.quote))


def member_lines(name: str, value: Any, style: BlockStyle) -> Iterator[str]:
    """Yield the lines of a member of a mapping, its key at the margin."""
    head, lines = written(value, style)
    key = scalar_text(name, style.quote)
    yield f"{key}: {head}" if head else f"{key}:"
    yield from set_in(lines, style.offset if isinstance(value, list) else style.step)


def item_lines(value: Any, style: BlockStyle, width: int = DASH) -> Iterator[str]:
    """Yield the lines of an item of a sequence, its dash at the margin.

    `width` is how far it is set in within the dash.
    """
    head, lines = written(value, style)
    first, rest = (head, lines) if head else (lines[0], lines[1:])
    yield f"-{' ' * (width - 1)}{first}"
    yield from set_in(rest, width)


def set_in(lines: tuple[str, ...], by: int) -> Iterator[str]:
    """Yield lines with spaces before them, but for empty ones."""
    return (f"{' ' * by}{line}" if line else line for line in lines)


def _is_literal(text: str) -> bool:
    """Whether text of several lines can be written as it is, its last line whole or cut off."""
    lines = text.removesuffix("\n").split("\n")
    ends_with_text = bool(lines[-1])
    return (
        "\n" in text
        and ends_with_text
        and not lines[0].startswith((" ", "\t"))
        and bool(lines[0])
        and all(line.replace("\t", " ").isprintable() for line in lines)
    )
