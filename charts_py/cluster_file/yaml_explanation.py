"""What is wrong at a place of a text that is not YAML, and what is allowed there."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from charts_py.cluster_file.yaml_stop import Place

QUOTES = "quotes around the whole value"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is wrong at a place of a text."""

    place: Place
    what: str
    allowed: str | None = None
    nearest: Sequence[str] = ()


def shown(text: str) -> str:
    """Return text in quotes, with escapes for what nobody sees."""
    return json.dumps(text, ensure_ascii=False) if text.isprintable() else json.dumps(text)
