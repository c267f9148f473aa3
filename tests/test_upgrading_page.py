"""`docs/upgrading.md` speaks of every release, and of every field that has moved."""

import re
from pathlib import Path

from charts_py.cluster_file.translation import MOVED_FIELDS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "upgrading.md").read_text(encoding="utf-8")
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_each_release_of_the_changelog_has_a_section() -> None:
    _, _, releases = PAGE.partition("\n## Releases\n")
    shown = re.findall(r"^### (.+)$", releases, re.MULTILINE)
    assert shown == re.findall(r"^## \[(.+)\]", CHANGES, re.MULTILINE)


def test_each_field_that_has_moved_is_named_with_its_new_place() -> None:
    prose = re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL)
    quoted = re.findall(r"`([^`]+)`", prose)
    names = {name for code in quoted for name in re.split(r"[.:\s]", code)}
    moved = {str(path[-1]) for field in MOVED_FIELDS for path in (field.path, field.to)}
    assert moved - names == set()
