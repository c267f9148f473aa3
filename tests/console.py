"""The commands that a page shows on a console, and what it says that they print."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROMPT = "$ "


@dataclass(frozen=True, slots=True)
class Step:
    """A command of a page and what the page says that it prints."""

    command: str
    printed: str


def steps(page: Path) -> Iterator[Step]:
    """Yield the commands of a page after a prompt, in its order."""
    for block in blocks(page, "console"):
        for part in f"\n{block}".split(f"\n{PROMPT}")[1:]:
            command, _, printed = part.partition("\n")
            yield Step(command, printed.strip())


def blocks(page: Path, language: str) -> Iterator[str]:
    """Yield the blocks of code of a language that a page has."""
    for block in page.read_text(encoding="utf-8").split(f"```{language}\n")[1:]:
        yield block.split("```")[0]
