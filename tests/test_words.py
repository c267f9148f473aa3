"""What users read has the words of the list in docs/contributing.md."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIST = ROOT / "docs" / "contributing.md"
_READ_BY_USERS = ("*.md", "*.py", "*.toml", "*.yaml", ":!CHANGELOG.md", ":!dist", ":!tests")
_ROW = re.compile(r"^\| ([^|]+?) \| [^|]+ \|$", re.MULTILINE)


def _avoided() -> list[str]:
    _, _, section = LIST.read_text(encoding="utf-8").partition("\n## Words\n")
    _, *phrases = _ROW.findall(section.partition("\n## ")[0])
    return [phrase for phrase in phrases if set(phrase) != {"-"}]


def test_the_words_on_the_left_of_the_list_do_not_come_back() -> None:
    command = ["git", "grep", "--ignore-case", "--line-number", "--fixed-strings"]
    phrases = [option for phrase in _avoided() for option in ("-e", phrase)]
    paths = [*_READ_BY_USERS, f":!{LIST.relative_to(ROOT)}"]
    found = subprocess.run(
        [*command, *phrases, "--", *paths], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert found.stdout.splitlines() == []


def test_the_list_has_words() -> None:
    assert "to be stated" in _avoided()
