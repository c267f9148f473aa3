"""The acknowledgements of the repository that one stands in, for `gpuplane lint`."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuplane.lint.acknowledgements.acknowledgement_file import read_acknowledgements
from gpuplane.lint.acknowledgements.acknowledging import without_acknowledged
from gpuplane.lint.acknowledgements.new_rows import Statement, with_rows
from gpuplane.lint.rule_names import rule_names
from gpuplane.terminal import print_styled

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence
    from pathlib import Path

    from gpuplane.lint.acknowledgements.acknowledgement_file import AcknowledgedRow
    from gpuplane.lint.file_findings import FileFindings
    from gpuplane.lint.finding import LintFinding
    from gpuplane.lint.lint_source import LintSource


@dataclass(frozen=True, slots=True)
class LintAcknowledgements:
    """What was acknowledged, and acknowledging more; reading raises SpecError and OSError."""

    file: Path
    """It need not be there."""
    own_rules: Sequence[str]
    """Names of the rules of platform teams' own."""
    today: dt.date

    def left_of(
        self, found: Sequence[FileFindings], sources: Sequence[LintSource]
    ) -> Sequence[FileFindings]:
        """Return what is found without what was acknowledged."""
        return without_acknowledged(found, sources, self._rows(), self.file, self.today)

    def add(self, findings: Sequence[LintFinding], statement: Statement) -> None:
        """Write down that findings are acknowledged; raises DistError where that cannot be."""
        meant = [each for each in findings if each.content]
        if not meant:
            print_styled("note: nothing was found that can be acknowledged", err=True)
            return
        text = with_rows(self.file, self._rows(), meant, statement, rule_names(self.own_rules))
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text(text, encoding="utf-8")
        what = "finding" if len(meant) == 1 else "findings"
        print_styled(f"note: acknowledged {len(meant)} {what} in {self.file}", err=True)

    def _rows(self) -> tuple[AcknowledgedRow, ...]:
        names = rule_names(self.own_rules)
        return read_acknowledgements(self.file, names) if self.file.exists() else ()


def author_of_git(start: Path) -> str:
    """Return the email address that git knows its user by; empty where it knows none."""
    git = shutil.which("git")
    if git is None:
        return ""
    command = (git, "config", "user.email")
    done = subprocess.run(command, cwd=start, capture_output=True, text=True, check=False)  # noqa: S603 # nothing of it comes from elsewhere
    return done.stdout.strip()
