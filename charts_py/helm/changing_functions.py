"""Functions of templates whose result depends on when and where a chart is rendered.

Two renderings right after one another may agree on what these return. So they are replaced by
`fail`, which Helm parses with any arguments, and which stops it where one is called.
"""

import re
from collections.abc import Iterator
from pathlib import Path

_REASONS = {
    "lookup": "reads the cluster",
    "getHostByName": "asks a name server",
    "now": "reads the clock",
    "ago": "reads the clock",
}
"""https://helm.sh/docs/chart_template_guide/function_list/"""

_ACTION = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_NAME = re.compile(
    rf'"(?:\\.|[^"\\])*"|`[^`]*`|/\*.*?\*/|(?<![\w.$-])(?P<name>{"|".join(_REASONS)})(?![\w-])',
    re.DOTALL,
)
"""One of the names, beside strings and comments, which may hold it as well."""

_STOPPED = re.compile(
    r"""(?:^|\s|\()(?P<file>[^\s():]+):(?P<line>\d+):\d+(?::?\s+executing "[^"]*" at <fail|\))"""
)
"""Where `fail` was called, with the wrong number of arguments or with one, as Helm tells it."""


def stop_at_changing_functions(chart: Path) -> None:
    """Rewrite the templates of a chart and of those within so that calling one is an error."""
    for file in _templates(chart):
        file.write_text(_ACTION.sub(_stopped, file.read_text("utf-8")), encoding="utf-8")


def called_function(error: str, chart: Path) -> str | None:
    """Return where such a function was called and what it does, by Helm's error; else None.

    `chart` is the folder of the chart with the templates as they were.
    """
    calls = list(_STOPPED.finditer(error))
    if not calls:
        return None
    # Helm begins with the name of the chart.
    file, line = calls[-1]["file"].partition("/")[2], int(calls[-1]["line"])
    names = [name for place, name in _calls((chart / file).read_text("utf-8")) if place == line]
    reasons = " and ".join(f"{name} {_REASONS[name]}" for name in dict.fromkeys(names))
    return f"{file}:{line}: {reasons}" if reasons else None


def _calls(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each call in a template."""
    for action in _ACTION.finditer(text):
        for found in _NAME.finditer(action[0]):
            if found["name"]:
                yield text.count("\n", 0, action.start() + found.start()) + 1, found["name"]


def _templates(chart: Path) -> Iterator[Path]:
    for folder in (path for path in chart.rglob("templates") if path.is_dir()):
        yield from (file for file in sorted(folder.rglob("*")) if file.is_file())


def _stopped(action: re.Match[str]) -> str:
    return _NAME.sub(lambda found: "fail" if found["name"] else found[0], action[0])
