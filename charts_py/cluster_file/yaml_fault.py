"""Why the bytes of a file are not YAML, and how to mend them, with line and column."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import yaml

from charts_py.cluster_file.fault import Fault, Mark, Problem, counted
from charts_py.cluster_file.yaml_stop import UTF_16, Place, Stop, indentation_of, place_of
from gpus.nearest import nearest

QUOTES = "quotes around the whole value"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is wrong at a place of a text."""

    place: Place
    what: str
    allowed: str | None = None
    nearest: tuple[str, ...] = ()


def shown(text: str) -> str:
    """Return text in quotes, with escapes for what nobody sees."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else json.dumps(text)


_CLOSING = {"[": "]", "{": "}"}


def open_quote(stop: Stop) -> Explanation:
    quote = stop.text[stop.began.index]
    return Explanation(stop.began, f"the quote {quote} is not closed", f"a second {quote}")


def behind_value(stop: Stop) -> Explanation | None:
    """Explain text on the same line as a value that has ended."""
    rest = stop.rest.strip()
    if (quoted := stop.quoted()) is not None:
        opened, quote = place_of(quoted.start_mark), stop.text[quoted.start_mark.index]
        if opened.line < stop.place.line:
            what = f"the quote {quote} is closed only on line {stop.place.line + 1}"
            return Explanation(opened, what, f"a second {quote} at the end of the value")
        return Explanation(stop.place, f"{shown(rest)} after the closing {quote}", QUOTES)
    what = f"{shown(rest)} after the value has ended"
    return without_opening(stop) or Explanation(stop.place, what)


def without_opening(stop: Stop) -> Explanation | None:
    """Explain a bracket or a brace that closes nothing."""
    found = stop.rest[:1]
    opening = next((key for key, closing in _CLOSING.items() if closing == found), None)
    return None if opening is None else Explanation(stop.place, f'"{found}" without "{opening}"')


def flow(stop: Stop) -> Explanation | None:
    opened = stop.bracket()
    if opened is None:
        return without_opening(stop)
    opening, found = stop.text[opened.index], stop.rest[:1]
    closing = _CLOSING[opening]
    if found in _CLOSING.values() and found != closing:
        what = f'"{found}" closes the "{opening}" of line {opened.line + 1}'
        return Explanation(stop.place, what, f'"{closing}"')
    if stop.place.line > opened.line or not stop.rest.strip():
        before = f" before line {stop.place.line + 1}" if stop.line.strip() else ""
        return Explanation(opened, f'"{opening}" is not closed{before}', f'"{closing}"')
    what = f'{shown(stop.rest.strip())} in the "{opening}" of column {opened.column + 1}'
    return Explanation(stop.place, what, f'"," or "{closing}" before it')


def second_colon(stop: Stop) -> Explanation:
    """Explain a colon where no key can be."""
    before, above = stop.line[: stop.place.column], stop.content_line_above()
    if ": " in before or above is None:
        what = f'a second ": " on the line, in the value {shown(_value(stop.line))}'
        return Explanation(stop.place, what, QUOTES)
    text = stop.line_at(above)
    if ": " not in text:
        return _without_colon(above, text)
    key = text.strip().partition(": ")[0].removeprefix("- ")
    what = f'indented below "{key}", which has the value {shown(_value(text))}'
    place = Place(stop.place.line, stop.indentation, stop.place.index)
    return Explanation(place, what, f"{_spaces(indentation_of(text))} as before {key}")


def _without_colon(line: int, text: str) -> Explanation:
    place = Place(line, indentation_of(text), 0)
    if ":" in text:
        return Explanation(place, f'no space after ":" in "{text.strip()}"', "key: value")
    return Explanation(place, f'no ":" in "{text.strip()}"', "key: value")


def block(stop: Stop) -> Explanation | None:
    if stop.line[: stop.place.column].strip():
        return behind_value(stop)
    indentations = stop.indentations()
    if not indentations:
        return None
    if stop.place.column not in indentations:
        what = f"indented by {_spaces(stop.place.column)}, as nothing above"
        return Explanation(stop.place, what, f"{_either(indentations)} spaces")
    if stop.rest.startswith("- "):
        return Explanation(stop.place, "an item of a list among keys", "key: value")
    return Explanation(stop.place, "a key among the items of a list", '"- " before each item')


def _value(line: str) -> str:
    return line.strip().partition(": ")[2].strip()


def _either(numbers: Sequence[int]) -> str:
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last


def _spaces(count: int) -> str:
    return "no space" if count == 0 else counted(count, "space")


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
    meant = tuple(f"*{each}" for each in nearest(name, anchors))
    return Explanation(stop.place, what, allowed, meant)


def _anchor_name(stop: Stop) -> Explanation:
    sign = stop.text[stop.began.index]
    return Explanation(stop.began, f'a value begins with "{sign}"', QUOTES)


def _second_anchor(stop: Stop) -> Explanation:
    name = re.split(r"[\s,\]}]", stop.rest[1:])[0]
    what = f'the anchor "{name}" is already on line {stop.began.line + 1}'
    return Explanation(stop.place, what, "another name")


def _escape(stop: Stop) -> Explanation:
    what = f'"{stop.rest[:2]}" in double quotes is no character'
    return Explanation(stop.place, what, r"single quotes, or \\ for a backslash")


def _behind_bar(stop: Stop) -> Explanation:
    bar = stop.text[stop.began.index]
    what = f'{shown(stop.rest.strip())} after "{bar}"'
    return Explanation(stop.place, what, "the text on the next lines, indented")


def _always(what: str, allowed: str) -> Callable[[Stop], Explanation]:
    return lambda stop: Explanation(stop.place, what, allowed)


tab = _always("a tab in the indentation", "spaces")


def _second_document(stop: Stop) -> Explanation:
    """Explain what follows a whole document: a second one, or what no brace around it can hold."""
    above = stop.content_line_above()
    text = "" if above is None else stop.line_at(above).strip()
    if stop.rest.startswith(("---", "%")) or text in ("", "..."):
        return Explanation(stop.place, "a second document begins", "one document in the file")
    what = f"{shown(text)} is a whole value, and {shown(stop.line.strip())} follows it"
    template = "; templates ({{ }}) are not filled in" if text.startswith("{{") else ""
    return Explanation(stop.place, what, f"key: value{template}")


_EXPLAINED: Mapping[str, Callable[[Stop], Explanation | None]] = {
    "block sequence entries are not allowed in this context": _always(
        "an item of a list on the line of something else",
        '"- " on a line of its own, or [ ] around the list',
    ),
    "but found another document": _second_document,
    "could not find expected ':'": lambda stop: _without_colon(
        stop.began.line, stop.line_at(stop.began.line)
    ),
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
UNREADABLE = (yaml.YAMLError, UnicodeDecodeError)
"""What PyYAML raises, and what decoding does."""
_UTF_8 = "the file saved as UTF-8"
_LONGEST = 4
"""Bytes of a character in UTF-8."""
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def yaml_fault(error: Exception, source: bytes, shown_as: str) -> Fault:
    """Return the fault that one of `UNREADABLE` stands for."""
    if isinstance(error, yaml.reader.ReaderError):
        # Of what is not UTF-8, libyaml names a byte behind it.
        error = _undecoded(source) or error
    if isinstance(error, UnicodeDecodeError):
        not_utf_8 = Fault(_mark(source[: error.start], shown_as), _byte(source[error.start]))
        return utf_16_fault(source, shown_as) or not_utf_8
    if isinstance(error, yaml.reader.ReaderError):
        return _forbidden_character(error, source, shown_as)
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return _not_yaml(error, error.problem_mark, source, shown_as)
    return Fault(Mark(shown_as, 1), Problem((), f"invalid YAML: {' '.join(str(error).split())}"))


def utf_16_fault(source: bytes, shown_as: str) -> Fault | None:
    """Return the fault that a file in UTF-16 is; None of others."""
    if not source.startswith(UTF_16):
        return None
    return Fault(Mark(shown_as, 1), Problem((), "the file is UTF-16", _UTF_8))


def _undecoded(source: bytes) -> UnicodeDecodeError | None:
    try:
        source.decode()
    except UnicodeDecodeError as error:
        return None if source.startswith(UTF_16) else error
    return None


def _forbidden_character(error: yaml.reader.ReaderError, source: bytes, shown_as: str) -> Fault:
    text = _decoded(source[error.position :][:_LONGEST])
    mark = _mark(source[: error.position], shown_as)
    if text.startswith(_REPLACEMENT):
        return Fault(mark, _byte(source[error.position]))
    what = f"invalid YAML: the character U+{ord(text[:1] or _REPLACEMENT):04X}"
    return Fault(mark, Problem((), what, f"printable characters, and {_UTF_8}"))


def _byte(byte: int) -> Problem:
    return Problem((), f"byte 0x{byte:02X} is not UTF-8", _UTF_8)


def _mark(before: bytes, shown_as: str) -> Mark:
    """Return the mark of what comes after these bytes."""
    lines = re.split(r"\r\n|\r|\n", _decoded(before))
    return Mark(shown_as, len(lines), len(lines[-1]) + 1)


def _not_yaml(error: yaml.MarkedYAMLError, mark: yaml.Mark, source: bytes, shown_as: str) -> Fault:
    place = place_of(mark)
    began = place_of(error.context_mark) if error.context_mark is not None else place
    text, said = _decoded(source), error.problem or "unreadable"
    stop = Stop(text, text.splitlines(), said, place, began)
    explained = explain(stop)
    problem = Problem((), f"invalid YAML: {explained.what}", explained.allowed, explained.nearest)
    place = explained.place
    return Fault(Mark(shown_as, place.line + 1, place.column + 1), problem)


def _decoded(source: bytes) -> str:
    encoding = "utf-16" if source.startswith(UTF_16) else "utf-8-sig"
    return source.decode(encoding, errors="replace")


def explain(stop: Stop) -> Explanation:
    """Return why a text cannot be read; in PyYAML's words where there are no better ones."""
    if (conflict := _conflict(stop)) is not None:
        return conflict
    if (explains := _EXPLAINED.get(stop.problem)) is not None:
        explained = explains(stop)
    elif stop.text.startswith("%", stop.began.index):
        explained = Explanation(stop.began, 'the line begins with "%"', "a key")
    else:
        explained = None
    return explained or Explanation(stop.place, stop.problem)


def _conflict(stop: Stop) -> Explanation | None:
    """Return the first conflict of a merge that git left in the text."""
    found = re.search(r"^<{7} ", stop.text, re.MULTILINE)
    if found is None:
        return None
    line = stop.text.count("\n", 0, found.start())
    what = "a merge conflict that is not resolved"
    return Explanation(Place(line, 0, found.start()), what, "one of the two sides")
