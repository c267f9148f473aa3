"""Why the bytes of a file are not YAML, as a fault with line and column."""

import codecs
import re

import yaml

from charts_py.cluster_file.fault import Fault, Mark, Problem
from charts_py.cluster_file.yaml_explanations import explain
from charts_py.cluster_file.yaml_stop import Place, Stop, place_of

UNREADABLE = (yaml.YAMLError, UnicodeDecodeError)
"""What PyYAML raises, and what decoding does."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF_8 = "the file saved as UTF-8"
_LONGEST = 4
"""Bytes of a character in UTF-8."""
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def yaml_fault(error: Exception, source: bytes, shown_as: str) -> Fault:
    """Return the fault that one of `UNREADABLE` stands for."""
    if isinstance(error, UnicodeDecodeError):
        return _not_utf_8(error, source, shown_as)
    if isinstance(error, yaml.reader.ReaderError):
        # Of what is not UTF-8, libyaml names a byte behind it.
        if (undecoded := _undecoded(source)) is not None:
            return _not_utf_8(undecoded, source, shown_as)
        return _forbidden_character(error, source, shown_as)
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return _not_yaml(error, error.problem_mark, source, shown_as)
    return Fault(Mark(shown_as, 1), Problem((), f"invalid YAML: {' '.join(str(error).split())}"))


def utf_16_fault(source: bytes, shown_as: str) -> Fault | None:
    """Return the fault that a file in UTF-16 is; None of others."""
    if not source.startswith(_UTF_16):
        return None
    return Fault(Mark(shown_as, 1), Problem((), "the file is UTF-16", _UTF_8))


def _undecoded(source: bytes) -> UnicodeDecodeError | None:
    try:
        source.decode()
    except UnicodeDecodeError as error:
        return None if source.startswith(_UTF_16) else error
    return None


def _not_utf_8(error: UnicodeDecodeError, source: bytes, shown_as: str) -> Fault:
    if (fault := utf_16_fault(source, shown_as)) is not None:
        return fault
    return Fault(_mark(source[: error.start], shown_as), _byte(source[error.start]))


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
    return Fault(_mark_of(explained.place, shown_as), problem)


def _mark_of(place: Place, shown_as: str) -> Mark:
    return Mark(shown_as, place.line + 1, place.column + 1)


def _decoded(source: bytes) -> str:
    encoding = "utf-16" if source.startswith(_UTF_16) else "utf-8-sig"
    return source.decode(encoding, errors="replace")
