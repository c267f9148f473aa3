"""The files of a release, rewritten so that Helm stops where a changing function is called."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any

import yaml

from charts_py.extensions.manifest_files import ManifestLoader
from charts_py.helm.changing_functions import reason_at, stopped
from charts_py.objects.manifest_yaml import to_yaml

if TYPE_CHECKING:
    from pathlib import Path

VALUES = "values.yaml"
"""Name of the file of a chart's values, and of those that a release is given."""

_PLACE = re.compile(r'(?:^|\s)([^\s():]+):(\d+):(\d+):?\s+executing "')
_EVALUATED = re.compile(r'tpl function execution for ("(?:\\.|[^"\\])*"): ')
_IN_TPL = "gotpl"
"""What Helm names in place of a file where `tpl` evaluates a text."""


def stop_at_changing_functions(folder: Path) -> None:
    """Rewrite the files of charts and values below a folder.

    Any of them may hold a text that `tpl` evaluates.
    """
    for file in (path for path in folder.rglob("*") if path.is_file()):
        text = _read(file)
        rewritten = _stopped_values(text) if file.name == VALUES else stopped(text)
        if rewritten != text:
            file.write_text(rewritten, encoding="utf-8", errors="surrogateescape", newline="")


def called_function(error: str, chart: Path) -> str | None:
    """Return where such a function was called and what it does, by Helm's error; else None.

    `chart` is the folder of the rewritten chart.
    """
    places = _PLACE.findall(error)
    # Helm begins with the name of the chart.
    files = [(file.partition("/")[2], line) for file, line, _ in places if file != _IN_TPL]
    if not files:
        return None
    (file, line), (innermost, *position) = files[-1], places[-1]
    is_in_tpl = innermost == _IN_TPL
    text = ast.literal_eval(_EVALUATED.findall(error)[-1]) if is_in_tpl else _read(chart / file)
    reason = reason_at(text, *map(int, position))
    where = "in a text that tpl evaluates, " if is_in_tpl else ""
    return f"{file}:{line}: {where}{reason}" if reason else None


def _stopped_values(text: str) -> str:
    """Return YAML with its strings rewritten, whose quotes are not those of a template."""
    if "{{" not in text:
        return text
    values = yaml.load(text, Loader=ManifestLoader)  # noqa: S506 # a CSafeLoader
    rewritten = _stopped_strings(values)
    return text if rewritten == values else to_yaml(rewritten)


def _stopped_strings(value: Any) -> Any:
    if isinstance(value, dict):
        return {_stopped_strings(key): _stopped_strings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_stopped_strings(item) for item in value]
    return stopped(value) if isinstance(value, str) else value


def _read(file: Path) -> str:
    """Return the content, whatever it is, such as a picture."""
    return file.read_bytes().decode("utf-8", "surrogateescape")
