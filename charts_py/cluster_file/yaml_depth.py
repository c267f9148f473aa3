"""How deeply YAML is nested, before it is parsed: very deep nesting crashes PyYAML."""

import re
from dataclasses import dataclass

import yaml

MAX_DEPTH = 100
"""Levels of nesting that are read; much deeper ones crash PyYAML and with it the process."""

_BLOCK_START = re.compile(rb"^[ \t?:-]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TooDeep:
    """Where a file is nested too deeply; documents of a file count from 1."""

    line: int
    document: int

    def __str__(self) -> str:
        return f"nested deeper than {MAX_DEPTH} levels"


def too_deep(source: bytes) -> TooDeep | None:
    """Return where a file is nested deeper than `MAX_DEPTH` levels; to be called before parsing.

    Invalid YAML is left for the parser to report.
    """
    if most_levels(source) < MAX_DEPTH:
        return None
    depth, document = 0, 0
    try:
        for event in yaml.parse(source, Loader=yaml.CSafeLoader):
            document += isinstance(event, yaml.DocumentStartEvent)
            if isinstance(event, yaml.NodeEvent) and depth > MAX_DEPTH:
                return TooDeep(event.start_mark.line + 1 if event.start_mark else 1, document)
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
    except (yaml.YAMLError, UnicodeDecodeError):
        return None
    return None


def most_levels(source: bytes) -> int:
    """Return how deeply a text can be nested at most, which takes far less than parsing it.

    A block begins where a line does, behind spaces and what begins entries; each column can begin a
    mapping and a list in it. All else is in brackets.
    """
    brackets = source.count(b"[") + source.count(b"{")
    widest = max(map(len, _BLOCK_START.findall(source)), default=0)
    return 2 * (widest + 1) + brackets
