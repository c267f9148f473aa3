"""What a round must know of a cluster, as the JSON that the platform renders."""

from typing import TypeVar

import msgspec
from msgspec import Struct


class Part(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A part of the settings, in JSON in camel case."""


Settings = TypeVar("Settings", bound=Part)


class SettingsError(Exception):
    """What is wrong with settings."""


def read(source: str | bytes, of: type[Settings]) -> Settings:
    """Read settings from JSON; raises SettingsError."""
    try:
        return msgspec.json.decode(source, type=of)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise SettingsError(str(error)) from error


def write(settings: Part) -> str:
    return msgspec.json.format(msgspec.json.encode(settings), indent=2).decode() + "\n"
