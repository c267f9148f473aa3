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
_CHANGE_FIELDS = frozenset({"what", "verdict", "needs"})
_OPTIONAL = frozenset({"needs"})


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """One thing that a bump changes."""

    what: str
    """A full sentence."""
    verdict: Verdict
    needs: str | None = None
    """Value of the chart without which it does not matter, such as `driver.enabled`."""


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
    content = _fields(yaml.safe_load(text), _FIELDS, shown_as)
    try:
        changes = tuple(_changes(content["changes"], shown_as))
        return PinRecord(
            pin=Pin(PinKind(content["kind"]), content["name"]),
            old=content["from"],
            new=content["to"],
            changes=tuple(sorted(changes, key=lambda each: -each.verdict)),
            rollout=content["rollout"],
            sources=tuple(content["sources"]),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{shown_as}: {error}") from error


def _changes(content: Any, shown_as: str) -> Iterator[RecordedChange]:
    for each in content:
        fields = _fields(each, _CHANGE_FIELDS, shown_as)
        words = {verdict.word: verdict for verdict in Verdict}
        if fields["verdict"] not in words:
            allowed = ", ".join(words)
            raise ValueError(f"{shown_as}: verdict: {fields['verdict']}; allowed: {allowed}")
        yield RecordedChange(fields["what"], words[fields["verdict"]], fields.get("needs"))


def _fields(content: Any, allowed: frozenset[str], shown_as: str) -> Mapping[str, Any]:
    """Return a mapping of which every field but the optional ones is there, and no other."""
    if not isinstance(content, dict):
        raise ValueError(f"{shown_as}: not a mapping; allowed: {', '.join(sorted(allowed))}")  # noqa: TRY004 # what a file holds is no type of ours
    for name in sorted(content.keys() ^ allowed):
        if name not in allowed:
            raise ValueError(f"{shown_as}: unknown field {name}; allowed: {sorted(allowed)}")
        if name not in _OPTIONAL:
            raise ValueError(f"{shown_as}: {name} is missing")
    return content
