"""What PyYAML says of a text, as its author would say it: what is wrong, and what is allowed.

The words of PyYAML are those of libyaml (https://github.com/yaml/libyaml, src/scanner.c and
src/parser.c, 0.2.5).
"""

import re
from collections.abc import Callable, Mapping

from charts_py.cluster_file.yaml_brackets import flow, open_quote
from charts_py.cluster_file.yaml_explanation import QUOTES, Explanation, shown
from charts_py.cluster_file.yaml_layout import block, item, second_colon, simple_key, tab
from charts_py.cluster_file.yaml_stop import Place, Stop
from gpus.nearest import nearest


def explain(stop: Stop) -> Explanation:
    """Return why a text cannot be read; in PyYAML's words where there are no better ones."""
    if (conflict := _conflict(stop)) is not None:
        return conflict
    explained = _EXPLAINED.get(stop.problem, _unexplained)(stop)
    return explained if explained is not None else Explanation(stop.place, stop.problem)


def _conflict(stop: Stop) -> Explanation | None:
    """Return the first conflict of a merge that git left in the text."""
    found = re.search(r"^<{7} ", stop.text, re.MULTILINE)
    if found is None:
        return None
    line = stop.text.count("\n", 0, found.start())
    what = "a merge conflict that is not resolved"
    return Explanation(Place(line, 0, found.start()), what, "one of the two sides")


def _unexplained(stop: Stop) -> Explanation | None:
    return _directive(stop) if stop.text[stop.began.index :].startswith("%") else None


def _character(stop: Stop) -> Explanation:
    character = stop.rest[:1]
    if character == "\t":
        return tab(stop)
    return Explanation(stop.place, f'a value begins with "{character}"', QUOTES)


def _undefined_alias(stop: Stop) -> Explanation:
    name = re.split(r"[\s,\]}]", stop.rest[1:])[0]
    what, anchors = f'"*{name}" refers to no anchor', stop.anchors()
    allowed = ", ".join(f"*{anchor}" for anchor in anchors)
    allowed = f"{allowed}; or {QUOTES}" if allowed else QUOTES
    return Explanation(stop.place, what, allowed, [f"*{each}" for each in nearest(name, anchors)])


def _anchor_name(stop: Stop) -> Explanation:
    sign = stop.text[stop.began.index]
    return Explanation(stop.began, f'a value begins with "{sign}"', QUOTES)


def _second_anchor(stop: Stop) -> Explanation:
    name = re.split(r"[\s,\]}]", stop.rest[1:])[0]
    what = f'the anchor "{name}" is already on line {stop.began.line + 1}'
    return Explanation(stop.place, what, "another name")


def _second_document(stop: Stop) -> Explanation:
    return Explanation(stop.place, "a second document begins", "one document in the file")


def _escape(stop: Stop) -> Explanation:
    what = f'"{stop.rest[:2]}" in double quotes is no character'
    return Explanation(stop.place, what, r"single quotes, or \\ for a backslash")


def _behind_bar(stop: Stop) -> Explanation:
    bar = stop.text[stop.began.index]
    what = f'{shown(stop.rest.strip())} after "{bar}"'
    return Explanation(stop.place, what, "the text on the next lines, indented")


def _directive(stop: Stop) -> Explanation:
    return Explanation(stop.began, 'the line begins with "%"', "a key")


_EXPLAINED: Mapping[str, Callable[[Stop], Explanation | None]] = {
    "block sequence entries are not allowed in this context": item,
    "but found another document": _second_document,
    "could not find expected ':'": simple_key,
    "did not find expected ',' or ']'": flow,
    "did not find expected ',' or '}'": flow,
    "did not find expected '-' indicator": block,
    "did not find expected <document start>": _second_document,
    "did not find expected alphabetic or numeric character": _anchor_name,
    "did not find expected comment or line break": _behind_bar,
    "did not find expected key": block,
    "did not find expected node content": flow,
    "found a tab character that violates indentation": tab,
    "found character that cannot start any token": _character,
    "found unexpected end of stream": open_quote,
    "found undefined alias": _undefined_alias,
    "found unknown escape character": _escape,
    "mapping values are not allowed in this context": second_colon,
    "second occurrence": _second_anchor,
}
