"""Where a text is nested too deeply, and where reading it as YAML stopped and what was open."""

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import yaml

MAX_DEPTH = 100
"""Levels of nesting that are read; much deeper ones crash PyYAML and with it the process."""
_BLOCK_START = re.compile(rb"(?:\A|[\r\n\x85\xa8\xa9\xbf])([ \t?:-]+)")
"""Lines of YAML 1.1 also end at U+0085, U+2028 and U+2029, and each can begin with U+FEFF, the byte
order mark; these are found by their last bytes, which some letters share."""
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
"""PyYAML reads the bytes of no other encoding beside UTF-8."""


@dataclass(frozen=True, slots=True)
class TooDeep:
    """Where a file is nested too deeply; documents of a file count from 1."""

    line: int
    document: int

    def __str__(self) -> str:
        return f"nested deeper than {MAX_DEPTH} levels"


_FLOW_STARTS = (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)
_FLOW_ENDS = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
_BLOCK_STARTS = (yaml.BlockSequenceStartToken, yaml.BlockMappingStartToken)


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a text; line and column count from 0, as PyYAML counts them."""

    line: int
    column: int
    index: int


def place_of(mark: yaml.Mark) -> Place:
    return Place(mark.line, mark.column, mark.index)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where PyYAML stopped reading a text."""

    text: str
    lines: Sequence[str]
    problem: str
    """What PyYAML says."""
    place: Place
    """The place that PyYAML names."""
    began: Place
    """The beginning of the part that it was reading."""

    @property
    def line(self) -> str:
        return self.line_at(self.place.line)

    @property
    def rest(self) -> str:
        """The text from there on, to the end of the line."""
        return self.line[self.place.column :]

    @property
    def indentation(self) -> int:
        return indentation_of(self.line)

    def line_at(self, number: int) -> str:
        """Return a line; empty behind the last one."""
        return self.lines[number] if number < len(self.lines) else ""

    def content_line_above(self) -> int | None:
        """Return the number of the nearest line above that is neither empty nor a comment."""
        numbers = range(self.place.line - 1, -1, -1)
        stripped = ((number, self.line_at(number).strip()) for number in numbers)
        return next((n for n, text in stripped if text and not text.startswith("#")), None)

    def bracket(self) -> Place | None:
        """Return the place of the innermost bracket or brace that is open; None without one."""
        opened: list[yaml.Token] = []
        for token in self._tokens():
            if isinstance(token, _FLOW_STARTS):
                opened.append(token)
            elif isinstance(token, _FLOW_ENDS) and opened:
                opened.pop()
        return place_of(opened[-1].start_mark) if opened else None

    def indentations(self) -> list[int]:
        """Return those that the line could have had: of the blocks that were open above it."""
        opened: list[int] = []
        for token in self._tokens():
            if token.start_mark.line >= self.place.line:
                break
            if isinstance(token, _BLOCK_STARTS):
                opened.append(token.start_mark.column)
            elif isinstance(token, yaml.BlockEndToken):
                opened.pop()
        return sorted(set(opened))

    def quoted(self) -> yaml.Token | None:
        """Return the quoted text that ends just before, on the same line; None without one."""
        token = self.last_token()
        is_quoted = isinstance(token, yaml.ScalarToken) and token.style in ("'", '"')
        return token if is_quoted and token and token.end_mark.line == self.place.line else None

    def last_token(self) -> yaml.Token | None:
        """Return the last token that ends before."""
        ended = [token for token in self._tokens() if token.end_mark.index <= self.place.index]
        marks = (yaml.BlockEndToken, yaml.KeyToken, *_BLOCK_STARTS)
        return next((token for token in reversed(ended) if not isinstance(token, marks)), None)

    def anchors(self) -> tuple[str, ...]:
        return tuple(t.value for t in self._tokens() if isinstance(t, yaml.AnchorToken))

    def _tokens(self) -> Iterator[yaml.Token]:
        """Yield the tokens that begin before."""
        try:
            for token in yaml.scan(self.text, Loader=yaml.CSafeLoader):
                if token.start_mark.index >= self.place.index:
                    return
                yield token
        except yaml.YAMLError:
            return


def indentation_of(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def too_deep(source: bytes) -> TooDeep | None:
    """Return where a file is nested deeper than `MAX_DEPTH` levels; to be called before parsing.

    Invalid YAML is left for the parser to report.
    """
    if most_levels(source) < MAX_DEPTH:
        return None
    depth, document = 0, 0
    try:
        for event in yaml.parse(source, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.DocumentStartEvent):
                document += 1
            if isinstance(event, yaml.NodeEvent) and depth > MAX_DEPTH:
                return TooDeep(event.start_mark.line + 1 if event.start_mark else 1, document)
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    except (yaml.YAMLError, UnicodeDecodeError):
        return None
    return None


def first_too_deep(sources: Mapping[str, bytes]) -> tuple[str, TooDeep] | None:
    """Return the name of the first file that is nested too deeply, and where."""
    found = ((name, too_deep(source)) for name, source in sources.items())
    return next(((name, deep) for name, deep in found if deep is not None), None)


def most_levels(source: bytes) -> int:
    """Return how deeply a text can be nested at most, which takes far less than parsing it.

    A block begins where a line does, behind spaces and what begins entries; each column can begin a
    mapping and a list in it. All else is in brackets.
    """
    if source.startswith(UTF_16):
        source = source.decode("utf-16", "replace").encode()
    brackets = source.count(b"[") + source.count(b"{")
    widest = max(map(len, _BLOCK_START.findall(source)), default=0)
    return 2 * (widest + 1) + brackets
