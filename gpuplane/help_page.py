"""The help of a command: what it does, examples and options, on one screen.

`gpuplane help COMMAND` prints the rest of its docstring, too.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, TypeAlias

from typer.core import TyperCommand, TyperGroup

from gpuplane.near_words import with_near_options

Row: TypeAlias = tuple[str, str]

MORE_OPTIONS = "More options"
"""The panel of options that the help only names."""
_WIDTH = 80
_GROUP = 12
"""Width of the columns of a group and of the names of its commands."""
_LONGEST_NAME = 27
_EXAMPLES_END = "\n```\n"
_UNLISTED = ("--show-completion",)
"""Option that few need, and `--install-completion` does without."""
_TYPES = {"path": "PATH", "int": "N", "int range": "N", "float": "X", "float range": "X"}


class Command(TyperCommand):
    """A command whose help is short."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(short_help(self, ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with with_near_options(self, ctx):
            return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ARG002 # as Typer calls it
        arguments = ((_argument(each), each.required) for each in _arguments(self))
        return [
            "[OPTIONS]",
            *(name if needed or name[0] == "[" else f"[{name}]" for name, needed in arguments),
        ]

    def values(self) -> tuple[Row, ...]:
        """Return the values of the first argument, where the help lists them."""
        return ()


class Group(TyperGroup):
    """A group of commands, whose help is short, too."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(overview(self, ctx, {"": tuple(self.commands)}))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with with_near_options(self, ctx):
            return super().parse_args(ctx, args)


def overview(group: Any, context: Any, groups: Mapping[str, Sequence[str]]) -> str:
    """Return a line for each command, with the name of its group before the first."""
    lines = [*_head(group, context), f"{summary(group)}.", ""]
    for title, names in groups.items():
        for at, name in enumerate(names):
            lines.append(
                f"{title if at == 0 else '':{_GROUP}}{name:{_GROUP}}{summary(group.commands[name])}"
            )
    shown = [each for each in _options(group) if _long(each) not in _UNLISTED]
    options = [(_spelled(each), _meaning(each)) for each in shown]
    return "\n".join([*lines, "", *table(options, indent=0)])


def short_help(command: Any, context: Any) -> str:
    opening, _ = _parts(command)
    others = ", ".join(_long(each) for each in _options(command) if _is_more(each))
    more = f"More: gpuplane help {_name(context)}{', of ' if others else ''}{others}"
    lines = _lines(command, is_short=True)
    return "\n".join([*_head(command, context), *opening, "", *lines, "", *_wrapped(more)])


def whole_help(command: Any, context: Any) -> str:
    opening, prose = _parts(command)
    lines = _lines(command, is_short=False)
    more = ("", prose) if prose else ()
    return "\n".join([*_head(command, context), *opening, "", *lines, *more])


def summary(command: Any) -> str:
    """Return the first line of its docstring, without the full stop."""
    return str(command.help).partition("\n")[0].removesuffix(".").replace("`", "")


def table(rows: Sequence[Row], indent: int = 2) -> Iterator[str]:
    """Yield rows in two columns; a name that is too long has a line of its own."""
    width = max((len(name) for name, _ in rows if len(name) <= _LONGEST_NAME), default=0) + 2
    for name, meaning in rows:
        first, *rest = _wrapped(meaning, _WIDTH - indent - width) or [""]
        beside = name if len(name) + 2 <= width else ""
        if name != beside:
            yield " " * indent + name
        yield f"{'':{indent}}{beside:{width}}{first}".rstrip()
        yield from (f"{'':{indent + width}}{line}" for line in rest)


def _wrapped(text: str, width: int = _WIDTH) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False)


def _name(context: Any) -> str:
    return str(context.command_path).partition(" ")[2]


def _head(command: Any, context: Any) -> list[str]:
    pieces = " ".join(command.collect_usage_pieces(context))
    usage = f"Usage: {context.command_path} {pieces}"
    return [*textwrap.wrap(usage, _WIDTH, subsequent_indent="  "), ""]


def _parts(command: Any) -> tuple[list[str], str]:
    """Return the lines up to the end of the examples, and what follows them."""
    opening, _, prose = f"{command.help}\n".partition(_EXAMPLES_END)
    said, _, examples = opening.strip().partition("```console\n")
    lines = _wrapped(said.replace("`", ""))
    return [*lines, "", *(f"  {line}".rstrip() for line in examples.splitlines())], prose.strip()


def _arguments(command: Any) -> list[Any]:
    return [each for each in command.params if each.param_type_name == "argument"]


def _argument(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _options(command: Any) -> list[Any]:
    return [each for each in command.params if each.param_type_name == "option"]


def parameters(command: Any, *, is_short: bool = False) -> list[Row]:
    """Return arguments and options, with what they mean; without those of `MORE_OPTIONS`."""
    options = [each for each in _options(command) if not (is_short and _is_more(each))]
    return [
        *((_argument(each), each.help or "") for each in _arguments(command)),
        *((_spelled(each), _meaning(each)) for each in options),
    ]


def _lines(command: Any, *, is_short: bool) -> Iterator[str]:
    rows = parameters(command, is_short=is_short)
    if values := command.values():
        yield from (*table(rows[:1]), *table(values, indent=4), "")
        rows = rows[1:]
    yield from table(rows)


def _is_more(option: Any) -> bool:
    return bool(option.rich_help_panel == MORE_OPTIONS)


def _long(option: Any) -> str:
    return str(next(each for each in option.opts if each.startswith("--")))


def _spelled(option: Any) -> str:
    short = [each for each in option.opts if not each.startswith("--")]
    names = ", ".join([*short, _long(option)]) if short else f"    {_long(option)}"
    if option.is_flag:
        return names
    return f"{names} {_metavar(option)}"


def _metavar(option: Any) -> str:
    if option.metavar:
        return str(option.metavar)
    if choices := getattr(option.type, "choices", None):
        return "|".join(str(getattr(each, "value", each)) for each in choices)
    return _TYPES.get(option.type.name, "TEXT")


def _meaning(option: Any) -> str:
    said = (option.help or "").replace("`", "")
    if option.is_flag or option.default is None or not option.show_default:
        return said
    value = option.default.value if isinstance(option.default, Enum) else option.default
    return f"{said} [{value}]"
