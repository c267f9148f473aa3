"""Arguments and options of a command, as rows of its help."""

import textwrap
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, TypeAlias

Row: TypeAlias = tuple[str, str]

MORE_OPTIONS = "More options"
"""The panel of options that a short help only names."""
WIDTH = 80
_LONGEST_NAME = 27
_TYPES = {"path": "PATH", "int": "N", "int range": "N", "float": "X", "float range": "X"}


def parameter_rows(command: Any, *, is_short: bool = False) -> list[Row]:
    """Return what arguments and options mean; a short help leaves out `MORE_OPTIONS`."""
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in _options(command) if not (is_short and _is_more(each))]
    return [
        *((argument_name(each), each.help or "") for each in arguments),
        *((_spelled(each), _meaning(each)) for each in options),
    ]


def more_options(command: Any) -> list[str]:
    return [_long_name(each) for each in _options(command) if _is_more(each)]


def argument_name(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def table(rows: Sequence[Row], indent: int = 2) -> Iterator[str]:
    """Yield rows in two columns; a name that is too long has a line of its own."""
    width = max((len(name) for name, _ in rows if len(name) <= _LONGEST_NAME), default=0) + 2
    for name, meaning in rows:
        first, *rest = wrapped(meaning, WIDTH - indent - width) or [""]
        beside = name if len(name) + 2 <= width else ""
        if name != beside:
            yield " " * indent + name
        yield f"{'':{indent}}{beside:{width}}{first}".rstrip()
        yield from (f"{'':{indent + width}}{line}" for line in rest)


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False)


def _options(command: Any) -> list[Any]:
    return [each for each in command.params if each.param_type_name == "option"]


def _is_more(option: Any) -> bool:
    return bool(option.rich_help_panel == MORE_OPTIONS)


def _long_name(option: Any) -> str:
    return str(next(each for each in option.opts if each.startswith("--")))


def _spelled(option: Any) -> str:
    short = [each for each in option.opts if not each.startswith("--")]
    names = f"{short[0]}, {_long_name(option)}" if short else f"    {_long_name(option)}"
    return names if option.is_flag else f"{names} {_metavar(option)}"


def _metavar(option: Any) -> str:
    if _choices(option):
        return "FORMAT" if "-o" in option.opts else "WORD"
    last_word = _long_name(option).rpartition("-")[2].upper()
    return str(option.metavar or _TYPES.get(option.type.name, last_word))


def _choices(option: Any) -> list[str]:
    choices = getattr(option.type, "choices", None)
    if choices is None and "|" in (stated := option.metavar or "") and stated.islower():
        choices = stated.strip("<>").split("|")
    return [str(getattr(each, "value", each)) for each in choices or ()]


def _meaning(option: Any) -> str:
    said = (option.help or "").replace("`", "")
    if choices := _choices(option):
        said = f"{said.removesuffix('.')}: {', '.join(choices[:-1])} or {choices[-1]}."
    if option.is_flag or option.default is None or not option.show_default:
        return said
    value = option.default.value if isinstance(option.default, Enum) else option.default
    return f"{said} [{value}]"
