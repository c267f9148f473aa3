"""The help of a command: what it does, examples and options, on one screen.

`gpuplane help COMMAND` prints the rest of its docstring, too.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Any

from typer.core import TyperCommand, TyperGroup

from gpuplane.near_words import with_near_options
from gpuplane.parameter_rows import (
    WIDTH,
    Row,
    argument_name,
    more_options,
    parameter_rows,
    table,
    wrapped,
)

_GROUP, _NAME = 11, 13
"""Widths of the columns of a group and of the names of its commands."""
_EXAMPLES_END = "\n```\n"
_UNLISTED = ("--show-completion", "--version")
"""Options that stand beside `--install-completion` and the command `version`."""


class Command(TyperCommand):
    """A command whose help is short."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(_page(self, ctx, is_short=True))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with with_near_options(self, ctx):
            return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002 # as Typer calls it
        pieces = ["[OPTIONS]"]
        for each in self.params:
            if each.param_type_name == "argument":
                name = argument_name(each)
                pieces.append(name if each.required or name.startswith("[") else f"[{name}]")
        return pieces

    def values(self) -> tuple[Row, ...]:
        """Return the values of the first argument, where the help lists them."""
        return ()


class Group(TyperGroup):
    """A group of commands, whose help has a line for each."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(overview(self, ctx, {"Commands": tuple(self.commands)}))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with with_near_options(self, ctx):
            return super().parse_args(ctx, args)


def overview(group: Any, context: Any, groups: Mapping[str, Sequence[str]]) -> str:
    """Return a line for each command, with the name of its group before the first."""
    *usage, _ = _usage(group, context)
    lines = [*usage, f"{_summary(group)}.", ""]
    for title, names in groups.items():
        for name in names:
            shown = title if name == names[0] else ""
            lines.append(f"{shown:{_GROUP}}{name:{_NAME}}{_summary(group.commands[name])}")
    options = table([row for row in parameter_rows(group) if not row[0].endswith(_UNLISTED)])
    titles = chain(("Options",), repeat(""))
    for title, line in zip(titles, options, strict=False):
        lines.append(f"{title:{_GROUP}}{line.strip()}")
    return "\n".join(lines)


def whole_help(command: Any, context: Any) -> str:
    return _page(command, context, is_short=False)


def _page(command: Any, context: Any, *, is_short: bool) -> str:
    opening, prose = _parts(command)
    rows = [*_rows(command, is_short=is_short)]
    end = _where_more_is(command, context) if is_short else [prose]
    return "\n".join(
        [*_usage(command, context), *opening, "", *rows, *([""] if rows else []), *end]
    )


def _where_more_is(command: Any, context: Any) -> list[str]:
    page = f"gpuplane help {str(context.command_path).partition(' ')[2]}"
    others = ", ".join(more_options(command))
    return wrapped(f"More options, in {page}: {others}" if others else f"More: {page}")


def _summary(command: Any) -> str:
    return str(command.help).partition("\n")[0].removesuffix(".").replace("`", "")


def _usage(command: Any, context: Any) -> list[str]:
    pieces = " ".join(command.collect_usage_pieces(context))
    usage = f"Usage: {context.command_path} {pieces}"
    return [*textwrap.wrap(usage, WIDTH, subsequent_indent="  "), ""]


def _parts(command: Any) -> tuple[list[str], str]:
    """Return the lines up to the end of the examples, and what follows them."""
    opening, _, prose = f"{command.help}\n".partition(_EXAMPLES_END)
    said, _, examples = opening.strip().partition("```console\n")
    lines = wrapped(said.replace("`", ""))
    return [*lines, "", *(f"  {line}".rstrip() for line in examples.splitlines())], prose.strip()


def _rows(command: Any, *, is_short: bool) -> Iterator[str]:
    rows = parameter_rows(command, is_short=is_short)
    if values := command.values():
        yield from (*table(rows[:1]), *table(values, indent=4), "")
        rows = rows[1:]
    yield from table(rows)
