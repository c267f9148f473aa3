"""The picture of the README: a change of one line, and what the plan says of it."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from html import escape

_FRAME = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 {height}" width="520" role="img" \
aria-labelledby="title">
  <title id="title">{title}</title>
  <style>
    text {{ font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }}
    text {{ fill: #1f2933; white-space: pre }} .page {{ fill: #f6f8fa; stroke: #d0d7de }}
    .old {{ fill: #b42318 }} .new {{ fill: #067647 }} .quiet {{ fill: #57606a }}
    @media (prefers-color-scheme: dark) {{
      text {{ fill: #e6edf3 }} .page {{ fill: #161b22; stroke: #3d444d }}
      .old {{ fill: #ff9492 }} .new {{ fill: #56d364 }} .quiet {{ fill: #9da7b3 }}
    }}
  </style>
{panels}
</svg>
"""
_PANEL = '  <rect class="page" x="1" y="{top}" width="518" height="{height}" rx="8"/>'
_COLUMNS = 57
_LINE, _GAP = 22, 8
_CLASSES = {"-": "old", "+": "new", "$": "quiet", "#": "quiet"}
_POOL_LINES = 6


def picture(change: str, plan: str) -> str:
    """Return the picture as SVG, of `change.diff` and `plan.md` of an example.

    Letters of 14 pixels in a width of 520 are legible on a phone of 390.
    """
    answer = textwrap.wrap(_sentence(plan), _COLUMNS)
    panels = [_pool(change), ["$ gpuplane plan", *answer, "", *_capacity(plan)]]
    tops = [1, 1 + _height(panels[0]) + _GAP]
    shown = [text for top, lines in zip(tops, panels, strict=True) for text in _panel(top, lines)]
    return _FRAME.format(
        height=tops[1] + _height(panels[1]) + 1, title=_sentence(plan), panels="\n".join(shown)
    )


def _height(lines: Sequence[str]) -> int:
    return _LINE * (len(lines) + 1)


def _panel(top: int, lines: Sequence[str]) -> Iterator[str]:
    yield _PANEL.format(top=top, height=_height(lines))
    for at, line in enumerate(lines, start=1):
        attribute = f' class="{_CLASSES[line[0]]}"' if line[:1] in _CLASSES else ""
        if line:
            yield f'  <text x="16" y="{top + _LINE * at + 6}"{attribute}>{escape(line)}</text>'


def _pool(change: str) -> list[str]:
    """Return the lines around the first change of a pool, as the difference has them."""
    first_line, *lines = change.splitlines()
    first = next(at for at, line in enumerate(lines) if re.match(r"-\s+mig:", line))
    start = first - _POOL_LINES // 2
    return [f"# {first_line.removeprefix('--- a/')}", *lines[start : start + _POOL_LINES]]


def _sentence(plan: str) -> str:
    (found, *_) = re.findall(r"^\*\*(.+)\*\*$", plan, re.MULTILINE)
    return str(found)


def _capacity(plan: str) -> Iterator[str]:
    """Yield a line for each resource whose number changes."""
    rows = re.findall(r"^\| \S+ \| (\S+) \| (\S+) \| (\S+) \| \S+ \| \S+ \|$", plan, re.MULTILINE)
    for resource, before, after in rows:
        yield f"{resource:<32}{before.replace('-', '0'):>5} -> {after.replace('-', '0')}"
