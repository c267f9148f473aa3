"""What the end-to-end tests showed, of which the pages of evidence are made."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_PROPERTY = "evidence"


@dataclass(frozen=True, slots=True)
class Proof:
    file: str
    """Of the test, below `tests/e2e/`, as `claims/test_quota.py`."""
    test: str
    """The function that showed it."""
    claim: str
    """A whole sentence."""
    measured: str
    """What was seen: figures with their units, or the server's own words."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A test that is marked to fail, with what does not hold."""

    file: str
    test: str
    reason: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """Takes down what one test shows."""

    properties: list[tuple[str, object]]
    """Of the test; its report carries them to whoever collects."""

    def show(self, claim: str, measured: str) -> None:
        """Take down a claim, once its assertions have held.

        Both are Markdown on one line; the server's words stand well in backticks.
        """
        self.properties.append((_PROPERTY, (claim, measured)))


def shown(file: str, test: str, properties: Iterable[tuple[str, object]]) -> Iterator[Proof]:
    """Yield what a test took down, from the properties of its report."""
    for each in properties:
        match each:
            case (name, (str(claim), str(measured))) if name == _PROPERTY:
                yield Proof(file, test, claim, measured)
