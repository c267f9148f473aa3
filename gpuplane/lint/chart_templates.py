"""Where in the templates of a chart stands what Helm renders of them.

A copy of the chart is rendered, too, whose templates number their lines in comments. A line without
a number is one of several that an action has made, which stands on the next numbered line.
"""

import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

from charts_py.cluster_file.fault import Mark
from charts_py.helm.program import HelmError, ended_by_sigterm
from gpuplane.file_content import file_content
from gpuplane.lint.finding import LintFinding
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.report import LintReport
from upstream.lock import UpstreamError

Templates: TypeAlias = Mapping[int, tuple[str, int | None]]
"""By line of what is rendered the file of its template, and the line there where it is certain."""
_SOURCE = re.compile(r"# Source: [^/]+/(.+)")
_NUMBER = re.compile(r"\s*# gpuplane:(\d+)(!?)")
"""The number of a line, and whether that has an action."""
_ABOVE = re.compile(rf"^(?:{_NUMBER.pattern})+")
"""Numbers of lines above, which made nothing."""
_DIRECTORY = "templates"
_ACTION = "{{"
_STRUCTURE = re.compile(r"\s*(?:$|-|#|[]}]|\{\{|[^\s:]+:(?:\s|$))")
"""Begins a line that is not the rest of a text, which a comment would end."""
_VALUES = re.compile(r"\.Values((?:\.\w+)+)")


def template_lines(chart: Path, rendered: str, render: Callable[[Path], str]) -> Templates:
    """Return where the lines of what is rendered of a chart stand; `render` renders a folder."""
    numbered = _rendered_numbers(chart, render) if chart.is_dir() else {}
    return {
        start + index: (str(chart / key[0]), number)
        for key, start, lines in _documents(rendered)
        for index, number in enumerate(_numbers(lines, numbered.get(key, [])))
    }


def _rendered_numbers(
    chart: Path, render: Callable[[Path], str]
) -> Mapping[tuple[str, int], list[str]]:
    with ended_by_sigterm(), tempfile.TemporaryDirectory(prefix="gpuplane-chart-") as folder:
        copy = Path(folder, "chart")
        _write_copy(chart.absolute(), copy)
        try:
            return {key: lines for key, _, lines in _documents(render(copy))}
        except (HelmError, UpstreamError):
            return {}


def _write_copy(chart: Path, copy: Path) -> None:
    """Copy the folders of a chart with numbered templates; all else are links to what is there.

    So nothing is read that Helm does not read, and no link is followed.
    """
    for directory, folders, files in os.walk(chart):
        below = Path(directory).relative_to(chart)
        (copy / below).mkdir()
        links = (name for name in folders if Path(directory, name).is_symlink())
        for name in (*files, *links):
            file = Path(directory, name)
            text = _template(file) if _DIRECTORY in below.parts else None
            if text is None:
                (copy / below / name).symlink_to(file)
            else:
                (copy / below / name).write_text(_numbered(text), encoding="utf-8")


def _template(file: Path) -> str | None:
    """Return the text of a template of manifests; None of another file."""
    if not file.match("[!_]*.y*ml"):
        return None
    try:
        return file_content(file).decode(errors="replace")
    except OSError:
        return None


def _numbered(text: str) -> str:
    lines, in_action, written = [], False, text.splitlines()
    for number, (line, below) in enumerate(zip(written, [*written[1:], ""], strict=True), 1):
        if _ACTION in line or "}}" in line:
            in_action = line.rfind(_ACTION) > line.rfind("}}")
        is_kept = in_action or line.endswith("-}}") or line.startswith("---") or not line.strip()
        is_kept = is_kept or _STRUCTURE.match(below) is None
        lines.append(line if is_kept else f"{line} # gpuplane:{number}{'!' * (_ACTION in line)}")
    return "\n".join([*lines, ""])


def _documents(rendered: str) -> Iterator[tuple[tuple[str, int], int, list[str]]]:
    """Yield template and number among its documents, first line, and lines of each document."""
    seen, lines = Counter[str](), rendered.splitlines()
    starts = [at for at, line in enumerate(lines) if _SOURCE.fullmatch(line)]
    for at, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
        source, first = lines[at].partition("/")[2], at + 1
        while first < end - 1 and not _NUMBER.sub("", lines[first]).strip():
            first += 1
        if body := lines[first : end - 1]:
            seen[source] += 1
            yield (source, seen[source]), first + 1, body


def _numbers(lines: list[str], numbered: list[str]) -> Iterator[int | None]:
    nearest, below = [*map(_NUMBER.search, numbered)], None
    for index in reversed(range(len(nearest))):
        nearest[index] = below = nearest[index] or below
    for index, line in enumerate(lines):
        if index >= len(numbered) or _NUMBER.sub("", numbered[index]) != line.rstrip():
            yield None
            continue
        own = _NUMBER.search(_ABOVE.sub("", numbered[index]))
        found = own or nearest[index]
        yield int(found[1]) if found and (own or found[2]) else None


def at_templates(report: LintReport, sources: Iterable[LintSource]) -> LintReport:
    """Return a report whose findings in charts stand where their templates do."""
    files = {each.start.file for each in report.findings}
    charts = {each.shown_as: each.templates() for each in sources if each.shown_as in files}
    lines_of = cache(_lines)
    findings = tuple(_placed(each, charts, lines_of) for each in report.findings)
    placed = {each.start.file for each in findings} - files
    contents = {file: Path(file).read_bytes() for file in placed}
    return replace(report, findings=findings, sources={**report.sources, **contents})


def _lines(file: str) -> list[str]:
    """Return the lines of a template; none where there is no such file."""
    path = Path(file)
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def _placed(
    finding: LintFinding, charts: Mapping[str, Templates], lines_of: Callable[[str], list[str]]
) -> LintFinding:
    file, number = charts.get(finding.start.file, {}).get(finding.start.line, ("", None))
    if number is None or not lines_of(file):
        said = f"{finding.remedy} It comes from the template {file}." if file else finding.remedy
        return finding._replace(remedy=said.strip())
    line = lines_of(file)[number - 1]
    column = len(line) - len(line.lstrip()) + 1
    marks = Mark(file, number, column), Mark(file, number, len(line.rstrip()) + 1)
    keys = {*_VALUES.findall(line)}
    said = f" The template reads .Values{min(keys)} there." if len(keys) == 1 else ""
    return finding._replace(start=marks[0], end=marks[1], remedy=f"{finding.remedy}{said}".strip())
