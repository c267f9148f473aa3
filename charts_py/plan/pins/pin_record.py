"""The record of one change of a pin: what changes, and how that is rolled out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from charts_py.plan.pins.pinned import Pin, PinKind
from charts_py.plan.verdict import Verdict

_FIELDS = frozenset({"kind", "name", "from", "to", "changes", "rollout", "sources"})
_CHANGE_FIELDS = frozenset({"what", "verdict", "needs", "unless"})
_OPTIONAL = frozenset({"needs", "unless"})


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """One thing that a bump changes."""

    what: str
    """A full sentence."""
    verdict: Verdict
    needs: str | None = None
    """Value of the chart without which it does not matter, such as `driver.enabled`."""
    unless: str | None = None
    """Value of the chart with which it does not matter, such as `driver.version`."""


@dataclass(frozen=True, slots=True)
class PinRecord:
    """What one change of a pin does."""

    pin: Pin
    old: str
    new: str
    changes: tuple[RecordedChange, ...]
    """The worst first."""
    rollout: str
    """How it reaches what runs, in full sentences."""
    sources: tuple[str, ...]
    """URLs at the versions that were compared."""


@cache
def committed_records() -> tuple[PinRecord, ...]:
    """Return the records in this folder, sorted; raise ValueError where one is malformed."""
    folder = files(__package__)
    found = sorted((one for one in folder.iterdir() if one.name.endswith(".yaml")), key=str)
    return tuple(read_record(one.read_text("utf-8"), one.name) for one in found)


def read_record(text: str, shown_as: str) -> PinRecord:
    """Return the record that a file holds; raise ValueError with what is wrong with it."""
    try:
        content = _fields(yaml.safe_load(text), _FIELDS)
        return PinRecord(
            pin=Pin(PinKind(content["kind"]), content["name"]),
            old=content["from"],
            new=content["to"],
            changes=tuple(sorted(_changes(content["changes"]), key=lambda each: -each.verdict)),
            rollout=content["rollout"].strip(),
            sources=tuple(content["sources"]),
        )
    except (TypeError, AttributeError, ValueError, yaml.YAMLError) as error:
        raise ValueError(f"{shown_as}: {error}") from error


def _changes(content: Any) -> Iterator[RecordedChange]:
    words = {verdict.word: verdict for verdict in Verdict}
    for each in content:
        fields = _fields(each, _CHANGE_FIELDS)
        if fields["verdict"] not in words:
            raise ValueError(f"verdict: {fields['verdict']}; allowed: {', '.join(words)}")
        yield RecordedChange(
            what=fields["what"].strip(),
            verdict=words[fields["verdict"]],
            needs=fields.get("needs"),
            unless=fields.get("unless"),
        )


def _fields(content: Any, allowed: frozenset[str]) -> Mapping[str, Any]:
    """Return a mapping of which every field but the optional ones is there, and no other."""
    shown = ", ".join(sorted(allowed))
    if not isinstance(content, dict):
        raise TypeError(f"not a mapping; allowed: {shown}")
    if missing := sorted(allowed - _OPTIONAL - content.keys()):
        raise ValueError(f"{missing[0]} is missing")
    if foreign := sorted(content.keys() - allowed):
        raise ValueError(f"unknown field {foreign[0]}; allowed: {shown}")
    return content
