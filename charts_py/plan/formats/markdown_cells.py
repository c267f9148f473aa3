"""Objects and tables of a plan as Markdown; nothing in a cell is read as Markdown or HTML."""

import re
from collections.abc import Iterable, Iterator

from charts_py.plan.parts.told_effect import SIGNS, ToldEffect, ToldObjects
from charts_py.tables.table import Table

_SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\`*_[]|~#"})
_URL = re.compile(r"(https://[^\s<>()|`*@\[\]\\]+)")
_MENTION = re.compile(r"(?<!\w)@(?=\w)")
"""Calls a person or a team, a backslash before it or not."""


def escaped(text: str) -> str:
    """Return text on one line that stands for itself, and calls nobody; URLs in it stay links."""
    parts = _URL.split(" ".join(text.split()))
    return "".join(
        part if number % 2 else _MENTION.sub("@&#8203;", _plain(part).translate(_SPECIAL))
        for number, part in enumerate(parts)
    )


def code(text: str) -> str:
    """Return text as code, in HTML, which needs no other escapes than a table's."""
    return f"<code>{_plain(' '.join(text.split())).replace('|', '&#124;')}</code>"


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def object_table(objects: Iterable[ToldObjects]) -> Iterator[str]:
    """Yield the lines of a table of objects, a row each."""
    yield "| Verdict | Object | Why |"
    yield "|---|---|---|"
    for each in objects:
        why = "<br>".join(map(_why, each.effects))
        yield f"| {each.verdict.word} | {code(f'{SIGNS[each.change]} {each}')} | {why} |"


def table_lines(table: Table) -> Iterator[str]:
    """Yield the lines of a table, numbers to the right."""
    yield _row(table.headers)
    numbers = len(table.headers) - table.words
    yield f"|{'---|' * table.words}{'---:|' * numbers}"
    yield from map(_row, table.rows)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(escaped, cells))} |"


def _why(effect: ToldEffect) -> str:
    fields = f"{code(effect.named)}: " if effect.named else ""
    source = f" ([source]({effect.source}))" if effect.source else ""
    return f"{fields}{escaped(effect.said)}{source}"
