"""Where reading a text as YAML stopped, and what was open there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import yaml

_FLOW_STARTS = (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)
_FLOW_ENDS = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
_BLOCK_STARTS = (yaml.BlockSequenceStartToken, yaml.BlockMappingStartToken)

_Token: TypeAlias = yaml.Token


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a text; line and column count from 0, as PyYAML counts them."""

    line: int
    column: int
    index: int


def place_of(mark: yaml.Mark) -> Place:
    """Return the place of a mark."""
    return Place(mark.line, mark.column, mark.index)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where PyYAML stopped reading a text."""

    text: str
    lines: Sequence[str]
    """Those of the text."""
    problem: str
    """What PyYAML says."""
    place: Place
    """Where it says so."""
    began: Place
    """Where what it was reading began."""

    @property
    def line(self) -> str:
        """The line on which it stopped."""
        return self.line_at(self.place.line)

    @property
    def rest(self) -> str:
        """The text from there on, to the end of the line."""
        return self.line[self.place.column :]

    @property
    def indentation(self) -> int:
        """The spaces at the start of the line."""
        return indentation_of(self.line)

    def line_at(self, number: int) -> str:
        """Return a line; empty behind the last one."""
        return self.lines[number] if number < len(self.lines) else ""

    def written_above(self) -> int | None:
        """Return the number of the nearest line above that is neither empty nor a comment."""
        numbers = range(self.place.line - 1, -1, -1)
        stripped = ((number, self.line_at(number).strip()) for number in numbers)
        return next((n for n, text in stripped if text and not text.startswith("#")), None)

    def bracket(self) -> Place | None:
        """Return the place of the innermost bracket or brace that is open; None without one."""
        opened: list[_Token] = []
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

    def quoted(self) -> _Token | None:
        """Return the quoted text that ends just before, on the same line; None without one."""
        token = self.last_token()
        is_quoted = isinstance(token, yaml.ScalarToken) and token.style in ("'", '"')
        return token if is_quoted and token and token.end_mark.line == self.place.line else None

    def last_token(self) -> _Token | None:
        """Return the last token that ends before."""
        ended = [token for token in self._tokens() if token.end_mark.index <= self.place.index]
        marks = (yaml.BlockEndToken, yaml.KeyToken, *_BLOCK_STARTS)
        return next((token for token in reversed(ended) if not isinstance(token, marks)), None)

    def anchors(self) -> tuple[str, ...]:
        """Return the names of the anchors before."""
        return tuple(t.value for t in self._tokens() if isinstance(t, yaml.AnchorToken))

    def _tokens(self) -> Iterator[_Token]:
        """Yield the tokens that begin before."""
        try:
            for token in yaml.scan(self.text, Loader=yaml.CSafeLoader):
                if token.start_mark.index >= self.place.index:
                    return
                yield token
        except yaml.YAMLError:
            return


def indentation_of(line: str) -> int:
    """Return the number of spaces at the start of a line."""
    return len(line) - len(line.lstrip(" "))
