"""What kubeconform found, as typed results with readable messages."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

_FAULT = re.compile(r"\s*- at '((?:[^'\\]|\\.)*)': ")
"""The prefix of each fault: where it is in the document."""

_GROUPING = frozenset({"validation failed", "allOf failed"})
"""Faults that only gather others."""

_NO_SCHEMA = "could not find schema for"


class Status(StrEnum):
    """What kubeconform says about one document."""

    VALID = "valid"
    INVALID = "invalid"
    ERROR = "error"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, order=True)
class Result:
    """One document: who it is and what is wrong with it."""

    file: str
    api_version: str
    kind: str
    name: str
    status: Status
    message: str
    """Each fault as `/path: what is wrong`, joined by "; "; empty where the document is valid."""

    def __str__(self) -> str:
        """Return the result as a line: file, kind and name, fault."""
        who = f"{self.kind}/{self.name}" if self.kind else "document"
        return f"{self.file}: {who}: {self.message or self.status}"


@dataclass(frozen=True, slots=True)
class Report:
    """The documents of one run, sorted by file."""

    results: tuple[Result, ...]

    @property
    def failures(self) -> tuple[Result, ...]:
        """The documents that are not valid; a skipped one is a failure."""
        return tuple(result for result in self.results if result.status is not Status.VALID)


def parse_result(entry: Mapping[str, Any]) -> Result:
    """Return one entry of kubeconform's JSON output."""
    return Result(
        file=entry["filename"],
        api_version=entry["version"],
        kind=entry["kind"],
        name=entry["name"],
        status=Status(entry["status"].removeprefix("status").lower()),
        message=_message(entry["msg"]),
    )


def lacks_schema(result: Result) -> bool:
    """Return whether kubeconform found no schema for the document's kind."""
    return result.status is Status.ERROR and result.message.startswith(_NO_SCHEMA)


def _message(text: str) -> str:
    """Return the faults of a message, sorted: kubeconform walks maps in random order."""
    _, *parts = _FAULT.split(text)
    pairs = zip(parts[::2], parts[1::2], strict=True)
    faults = {f"{path or '/'}: {fault.strip()}" for path, fault in pairs if fault not in _GROUPING}
    return "; ".join(sorted(faults)) or " ".join(text.split())
