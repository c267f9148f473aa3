"""The commands, each imported when it is asked for: all of them take a third of a start."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer

from gpuplane.exit_code import EXIT_CODES

COMMANDS = (
    *("synth", "validate", "lint", "diff", "plan", "release", "promote", "prune", "remove"),
    *("report", "images", "cost", "recommend", "priorities", "queues"),
    *("new", "expand", "admit", "rules", "playground", "mcp"),
    *("serve", "cull", "init", "import", "migrate", "hardware", "schema", "version"),
    *("upstream", "docs"),
)
"""Their names, in the order of their use."""

_HIDDEN = "docs"
"""Of use in gpuplane's own repository alone."""


class CommandImports(Mapping[str, Any]):
    """The commands by their names, as a group of the command line holds them."""

    def __init__(self) -> None:
        self._imported: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        if name not in self._imported:
            self._imported[name] = _import_command(name)
        return self._imported[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


def _import_command(name: str) -> Any:
    function = "import_" if name == "import" else name
    module = import_module(f"gpuplane.commands.{function}")
    if name == "upstream":
        return typer.main.get_command(module.create_group(EXIT_CODES))
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    single.command(name, epilog=EXIT_CODES, hidden=name == _HIDDEN)(getattr(module, function))
    return typer.main.get_command(single)
