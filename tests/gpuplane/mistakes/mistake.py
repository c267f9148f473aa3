"""A mistake, and what `gpuplane` says to it.

A file of YAML holds those of one topic: the `repository` in which they are made, and the commands
that are `run` where a row names no others. In a row stand what is `done` in a shell before, the
`exit` code, which is 2 by default, and all that a command `says` on stderr and `prints` on stdout.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path

import msgspec
from ruamel.yaml import YAML

_FOLDER = Path(__file__).parent


class Mistake(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row; `PARENT` in it is the folder that the repository lies in."""

    says: str
    done: str = ":"
    run: tuple[str, ...] = ()
    exit: int = 2
    prints: str = ""

    @property
    def commands(self) -> Iterator[list[str]]:
        """The arguments of `gpuplane`, of each command; all are told the same."""
        return map(shlex.split, self.run)


class Topic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    repository: str
    """The function that makes it, in `repositories.py`."""
    run: tuple[str, ...]
    rows: tuple[Mistake, ...]


def topic_of(name: str) -> Topic:
    content = YAML(typ="safe").load(_FOLDER / f"{name}.yaml")
    return msgspec.convert(content, Topic)
