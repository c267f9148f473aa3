"""Questions at a terminal for what an option does not say."""

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

import typer

from gpuplane.terminal import print_styled

Check: TypeAlias = Callable[[str], Iterable[object]]
"""Returns what is wrong with an answer."""


def at_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def choose(
    what: str, meanings: Mapping[str, str], default: str | None = None, check: Check | None = None
) -> str:
    """Let a person choose a name, by default one of these; a single one needs no question."""
    if len(meanings) == 1:
        return next(iter(meanings))
    width = max(map(len, meanings))
    for name, meaning in meanings.items():
        typer.echo(f"  {name:<{width}}  {meaning}".rstrip(), err=True)
    return ask(what, default, check or _one_of(what, meanings))


def _one_of(what: str, names: Mapping[str, str]) -> Check:
    def unknown(answer: str) -> Iterable[str]:
        from charts_py.cluster_file.other_names import unknown_name

        return () if answer in names else (unknown_name(what, answer, names),)

    return unknown


def ask(what: str, default: str | None = None, check: Check | None = None) -> str:
    """Ask on stderr, since stdout may be a file, until nothing is wrong with the answer.

    Raises Abort at the end of input.
    """
    hint = f" [{default}]" if default is not None else ""
    while True:
        typer.echo(f"{what}{hint}: ", nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            raise typer.Abort
        if not (answer := line.strip() or default):
            continue
        if not (wrong := tuple(check(answer) if check else ())):
            return answer
        for each in wrong:
            print_styled(str(each), err=True)


def ask_number(what: str, default: int, check: Callable[[int], Iterable[object]]) -> int:
    def wrong(answer: str) -> Iterable[object]:
        return check(int(answer)) if answer.isdecimal() else (f"{answer} is not a number",)

    return int(ask(what, str(default), wrong))
