"""Collects what the tests of a run showed, and writes the page when all of them ran."""

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.e2e.evidence.evidence import Gap, Proof, shown
from tests.e2e.evidence.page import EvidencePage
from tests.e2e.evidence.sources import read_tests
from tests.e2e.selection import MORE


@dataclass(slots=True, eq=False)
class EvidenceRecorder:
    """A plugin of pytest that keeps a page.

    A run of a part, or one that fails, leaves the page as it was. Where workers of pytest-xdist run
    the tests, the process that hands them out keeps the page: it is told of all that ran, and each
    worker tells it what was left out.
    """

    root: Path
    """What the names of tests are relative to."""
    room: Path
    """The folder of the tests."""
    page: EvidencePage
    proofs: list[Proof] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    done: set[tuple[str, str]] = field(default_factory=set)
    """File and name of each test that passed, or failed as it is marked to."""
    is_of_a_part: bool = False
    """Whether a selection leaves tests of the page out."""
    told: str = ""

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Notice the tests that a selection leaves out."""
        self.is_of_a_part |= any(self._file(item.path, item.keywords) for item in items)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take down what a test showed, or what it is marked to fail for."""
        path, _, name = report.nodeid.partition("::")
        file, test = self._file(self.root / path, report.keywords), name.partition("[")[0]
        if file is None:
            return
        if report.when == "call" and report.passed:
            self.done.add((file, test))
            self.proofs += shown(file, test, report.user_properties)
        elif report.skipped and hasattr(report, "wasxfail"):
            self.done.add((file, test))
            self.gaps.append(Gap(file, test, report.wasxfail))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Notice that the selection of a worker leaves tests out."""
        self.is_of_a_part |= getattr(node, "workeroutput", {}).get(self._is_of_a_part, False)

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the page where all of its tests ran and nothing failed."""
        if (output := getattr(session.config, "workeroutput", None)) is not None:
            output[self._is_of_a_part] = self.is_of_a_part
            return
        if not self.done:
            return
        awaited = {(t.file, t.name) for t in read_tests(self.room) if self.page.holds(t)}
        left = awaited - self.done
        if left or self.is_of_a_part or exitstatus != pytest.ExitCode.OK:
            self.told = f"{self.page.name} is as it was: not every test ran and passed"
        else:
            changed = self.page.write(self.proofs, self.gaps)
            self.told = f"{self.page.name} {'has changed' if changed else 'is unchanged'}"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what became of the page."""
        if self.told:
            terminalreporter.write_line(self.told)

    @property
    def _is_of_a_part(self) -> str:
        """The name by which a worker tells whether it left out tests of the page."""
        return f"is of a part of {self.page.name}"

    def _file(self, path: Path, keywords: Container[str]) -> str | None:
        """Return the file, below the room, of a test of the page; None: it is none of those."""
        is_of_more = MORE in keywords
        if is_of_more is not self.page.is_of_more or not path.is_relative_to(self.room):
            return None
        return path.relative_to(self.room).as_posix()
