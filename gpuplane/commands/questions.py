"""Questions at a terminal for what an option does not say."""

import sys
from collections.abc import Mapping

import typer


def at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def choose(what: str, meanings: Mapping[str, str]) -> str:
    """Let a person choose a name, the first by default; a single one needs no question."""
    first = next(iter(meanings))
    if len(meanings) == 1:
        return first
    width = max(map(len, meanings))
    for name, meaning in meanings.items():
        typer.echo(f"  {name:<{width}}  {meaning}".rstrip(), err=True)
    return ask(what, first)


def ask(what: str, default: str | None = None) -> str:
    """Ask on stderr, since stdout may be a file; raise Abort at the end of input."""
    hint = f" [{default}]" if default is not None else ""
    while True:
        typer.echo(f"{what}{hint}: ", nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            raise typer.Abort
        if answer := line.strip() or default:
            return answer


def ask_number(what: str, default: int) -> int:
    while not (answer := ask(what, str(default))).isdecimal():
        typer.echo(f"{answer} is not a number", err=True)
    return int(answer)
