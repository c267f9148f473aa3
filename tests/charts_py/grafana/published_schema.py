"""Dashboards read by Grafana's own classes, which are generated from its published schema."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard


@cache
def _with_every_panel() -> type[Dashboard]:
    register_default_plugins()
    return Dashboard


def unread(text: str) -> list[str]:
    """Return the path of each field that Grafana does not read, or reads as something else."""
    content = json.loads(text)
    read = _with_every_panel().from_json(content)
    return list(_lost(content, json.loads(json.dumps(read, cls=JSONEncoder)), ""))


def _lost(written: Any, read: Any, path: str) -> Iterator[str]:
    if isinstance(written, dict) and isinstance(read, dict):
        for key, value in written.items():
            if value is not None:
                yield from _lost(value, read.get(key), f"{path}.{key}".removeprefix("."))
    elif isinstance(written, list) and isinstance(read, list) and len(written) == len(read):
        for index, (each, other) in enumerate(zip(written, read, strict=True)):
            yield from _lost(each, other, f"{path}[{index}]")
    elif written != read:
        yield path
