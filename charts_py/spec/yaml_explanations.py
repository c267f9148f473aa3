"""What PyYAML says of a text, as its author would say it: what is wrong, and what is allowed.

The words of PyYAML are those of libyaml (https://github.com/yaml/libyaml, src/scanner.c and
src/parser.c, 0.2.5).
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from charts_py.spec.yaml_stop import Place, Stop, indentation_of, place_of
from gpus.nearest import nearest

_CLOSING = {"[": "]", "{": "}"}
_QUOTES = "quotes around the whole value"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is wrong at a place of a text."""

    place: Place
    what: str
    allowed: str | None = None
    nearest: Sequence[str] = ()


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
        return _tab(stop)
    what = f'a value begins with "{character}"'
    return Explanation(stop.place, what, _QUOTES)


def _second_colon(stop: Stop) -> Explanation:
    """Explain a colon where no key can be."""
    before, above = stop.line[: stop.place.column], stop.written_above()
    if ": " in before or above is None:
        what = f'a second ": " on the line, in the value {_shown(_value(stop.line))}'
        return Explanation(stop.place, what, _QUOTES)
    text = stop.line_at(above)
    if ": " not in text:
        return _without_colon(above, text)
    key = text.strip().partition(": ")[0].removeprefix("- ")
    what = f'indented below "{key}", which has the value {_shown(_value(text))}'
    place = Place(stop.place.line, stop.indentation, stop.place.index)
    return Explanation(place, what, f"{_spaces(indentation_of(text))} as before {key}")


def _without_colon(line: int, text: str) -> Explanation:
    """Explain a line that should be a key and its value."""
    place = Place(line, indentation_of(text), 0)
    if ":" in text:
        return Explanation(place, f'no space after ":" in "{text.strip()}"', "key: value")
    return Explanation(place, f'no ":" in "{text.strip()}"', "key: value")


def _simple_key(stop: Stop) -> Explanation:
    return _without_colon(stop.began.line, stop.line_at(stop.began.line))


def _block(stop: Stop) -> Explanation | None:
    """Explain what ends a mapping or a list that is laid out by indentation."""
    if stop.line[: stop.place.column].strip():
        return _behind_value(stop)
    indentations = stop.indentations()
    if not indentations:
        return None
    if stop.place.column not in indentations:
        what = f"indented by {_spaces(stop.place.column)}, as nothing above"
        return Explanation(stop.place, what, f"{_either(indentations)} spaces")
    if stop.rest.startswith("- "):
        return Explanation(stop.place, "an item of a list among keys", "key: value")
    return Explanation(stop.place, "a key among the items of a list", '"- " before each item')


def _behind_value(stop: Stop) -> Explanation | None:
    """Explain text on the same line as a value that has ended."""
    rest = stop.rest.strip()
    if (quoted := stop.quoted()) is not None:
        opened, quote = place_of(quoted.start_mark), stop.text[quoted.start_mark.index]
        if opened.line < stop.place.line:
            what = f"the quote {quote} is closed only on line {stop.place.line + 1}"
            return Explanation(opened, what, f"a second {quote} at the end of the value")
        return Explanation(stop.place, f"{_shown(rest)} after the closing {quote}", _QUOTES)
    what = f"{_shown(rest)} after the value has ended"
    return _without_opening(stop) or Explanation(stop.place, what)


def _without_opening(stop: Stop) -> Explanation | None:
    """Explain a bracket or a brace that closes nothing."""
    found = stop.rest[:1]
    opening = next((key for key, closing in _CLOSING.items() if closing == found), None)
    return None if opening is None else Explanation(stop.place, f'"{found}" without "{opening}"')


def _flow(stop: Stop) -> Explanation | None:
    """Explain what is wrong within brackets or braces."""
    opened = stop.bracket()
    if opened is None:
        return _without_opening(stop)
    opening, found = stop.text[opened.index], stop.rest[:1]
    closing = _CLOSING[opening]
    if found in _CLOSING.values() and found != closing:
        what = f'"{found}" closes the "{opening}" of line {opened.line + 1}'
        return Explanation(stop.place, what, f'"{closing}"')
    if stop.place.line > opened.line or not stop.rest.strip():
        before = f" before line {stop.place.line + 1}" if stop.line.strip() else ""
        return Explanation(opened, f'"{opening}" is not closed{before}', f'"{closing}"')
    if found in "%@`":
        return _character(stop)
    what = f'{_shown(stop.rest.strip())} in the "{opening}" of column {opened.column + 1}'
    return Explanation(stop.place, what, f'"," or "{closing}" before it')


def _open_quote(stop: Stop) -> Explanation:
    quote = stop.text[stop.began.index]
    return Explanation(stop.began, f"the quote {quote} is not closed", f"a second {quote}")


def _undefined_alias(stop: Stop) -> Explanation:
    name = re.split(r"[\s,\]}]", stop.rest[1:])[0]
    what, anchors = f'"*{name}" refers to no anchor', stop.anchors()
    allowed = ", ".join(f"*{anchor}" for anchor in anchors)
    allowed = f"{allowed}; or {_QUOTES}" if allowed else _QUOTES
    return Explanation(stop.place, what, allowed, [f"*{each}" for each in nearest(name, anchors)])


def _anchor_name(stop: Stop) -> Explanation:
    sign = stop.text[stop.began.index]
    return Explanation(stop.began, f'a value begins with "{sign}"', _QUOTES)


def _second_anchor(stop: Stop) -> Explanation:
    name = re.split(r"[\s,\]}]", stop.rest[1:])[0]
    what = f'the anchor "{name}" is already on line {stop.began.line + 1}'
    return Explanation(stop.place, what, "another name")


def _second_document(stop: Stop) -> Explanation:
    return Explanation(stop.place, "a second document begins", "one document in the file")


def _tab(stop: Stop) -> Explanation:
    return Explanation(stop.place, "a tab in the indentation", "spaces")


def _item(stop: Stop) -> Explanation:
    what = "an item of a list on the line of something else"
    return Explanation(stop.place, what, '"- " on a line of its own, or [ ] around the list')


def _escape(stop: Stop) -> Explanation:
    what = f'"{stop.rest[:2]}" in double quotes is no character'
    return Explanation(stop.place, what, r"single quotes, or \\ for a backslash")


def _behind_bar(stop: Stop) -> Explanation:
    bar = stop.text[stop.began.index]
    what = f'{_shown(stop.rest.strip())} after "{bar}"'
    return Explanation(stop.place, what, "the text on the next lines, indented")


def _directive(stop: Stop) -> Explanation:
    return Explanation(stop.began, 'the line begins with "%"', "a key")


def _value(line: str) -> str:
    return line.strip().partition(": ")[2].strip()


def _shown(text: str) -> str:
    """Return text in quotes, with escapes for what nobody sees."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else json.dumps(text)


def _either(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


def _spaces(count: int) -> str:
    return "no space" if count == 0 else f"{count} space{'s' if count > 1 else ''}"


_EXPLAINED: Mapping[str, Callable[[Stop], Explanation | None]] = {
    "block sequence entries are not allowed in this context": _item,
    "but found another document": _second_document,
    "could not find expected ':'": _simple_key,
    "did not find expected ',' or ']'": _flow,
    "did not find expected ',' or '}'": _flow,
    "did not find expected '-' indicator": _block,
    "did not find expected <document start>": _second_document,
    "did not find expected alphabetic or numeric character": _anchor_name,
    "did not find expected comment or line break": _behind_bar,
    "did not find expected key": _block,
    "did not find expected node content": _flow,
    "found a tab character that violates indentation": _tab,
    "found character that cannot start any token": _character,
    "found unexpected end of stream": _open_quote,
    "found undefined alias": _undefined_alias,
    "found unknown escape character": _escape,
    "mapping values are not allowed in this context": _second_colon,
    "second occurrence": _second_anchor,
}
