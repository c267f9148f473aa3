"""A page of evidence: a table a case, of every claim with what was measured."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.evidence.evidence import Gap, Proof
from tests.e2e.evidence.sources import TestSource

GAPS = "What does not hold"


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """What the tests of some folders showed."""

    file: Path
    cases: Mapping[str, str]
    """Title by the folder of its tests, below `tests/e2e/`, in the order of the page."""
    is_of_more: bool
    """Whether it tells of what only `make e2e-more` runs; else of what `make e2e` does."""
    head: Callable[[], str]
    """Returns what stands above the tables, as of a run that ends now."""
    holds: Callable[[TestSource], bool]
    """Tells whether a test must have run before the page is written."""

    @property
    def name(self) -> str:
        """The page as people call it, such as `docs/evidence.md`."""
        return f"{self.file.parent.name}/{self.file.name}"

    def write(self, proofs: Iterable[Proof], gaps: Sequence[Gap]) -> bool:
        """Write it; return whether that changed it. Raises ValueError for a test of no case."""
        text = "\n".join([self.head(), *self._tables(list(proofs)), *_gaps(gaps)])
        if self.file.is_file() and self.file.read_text(encoding="utf-8") == text:
            return False
        self.file.write_text(text, encoding="utf-8")
        return True

    def _tables(self, proofs: Sequence[Proof]) -> Iterator[str]:
        by_case = [(self._case(proof.file), proof) for proof in proofs]
        for case, title in self.cases.items():
            rows = [proof for its, proof in by_case if its == case]
            if rows:
                yield f"## {title}\n\n| Claim | Measured | Test |\n|---|---|---|"
                for row in sorted(rows, key=lambda proof: proof.file):
                    link = _link(row.file, row.test)
                    yield f"| {cell(row.claim)} | {cell(row.measured)} | {link} |"
                yield ""

    def _case(self, file: str) -> str:
        for case in self.cases:
            if file.startswith(f"{case}/"):
                return case
        raise ValueError(f"{file} shows something, but is in none of: {', '.join(self.cases)}")


def cell(text: str) -> str:
    """Return Markdown that stands in one cell of a table, and holds no HTML."""
    line = " ".join(text.split()).replace("|", r"\|")
    return re.sub(r"(`[^`]*`)|<", lambda found: found[1] or "&lt;", line)


def _gaps(gaps: Sequence[Gap]) -> Iterator[str]:
    if gaps:
        yield f"## {GAPS}\n\n| Test | Why |\n|---|---|"
        # A test with parameters fails for each of them, and of one reason.
        for gap in sorted(dict.fromkeys(gaps), key=lambda gap: gap.file):
            yield f"| {_link(gap.file, gap.test)} | {cell(gap.reason)} |"
        yield ""


def _link(file: str, test: str) -> str:
    return f"[`{test}`](../tests/e2e/{file})"
