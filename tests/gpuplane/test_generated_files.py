"""What is generated is committed, and describes each command."""

import re
from pathlib import Path

import pytest

from gpuplane.application import COMMANDS, create_application
from gpuplane.errors import EXIT_CODES
from gpuplane.generated_files import generated_files
from gpuplane.reference.command_line import command_line_reference

ROOT = Path(__file__).parents[2]
FOLDERS = ("actions/pull-request", "ci", "docs/reference", "schemas")
BESIDE_WRITTEN_PAGES = "docs/prerequisites.md"


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    return generated_files(ROOT)


def test_every_generated_file_is_current(generated: dict[str, str]) -> None:
    stale = [
        path
        for path, text in generated.items()
        if not (ROOT / path).is_file() or (ROOT / path).read_text("utf-8") != text
    ]
    assert stale == [], "run `make docs`"


def test_nothing_else_is_beside_generated_files(generated: dict[str, str]) -> None:
    there = {
        file.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for file in (ROOT / folder).iterdir()
    }
    assert there | {BESIDE_WRITTEN_PAGES} == set(generated)


def _page() -> str:
    return command_line_reference(create_application(), EXIT_CODES)


def test_every_command_has_a_section_but_hidden_ones() -> None:
    of_group = {"upstream": ("upstream", "upstream fetch", "upstream compile")}
    assert re.findall(r"^#+ gpuplane (.*)$", _page(), re.MULTILINE) == [
        name for command in COMMANDS for name in of_group.get(command, (command,))
    ]


def test_a_section_has_help_usage_and_parameters() -> None:
    _, _, section = _page().partition("## gpuplane version\n\n")
    assert (
        section.partition("\n## ")[0]
        == """\
Print the version of gpuplane.

```console
gpuplane version
gpuplane version -o json
```

`-o json` prints a `Version` of `{gpuplane, python, platform}`.

```console
gpuplane version [OPTIONS]
```

- `-o, --output FORMAT`: What to print: text or json. [text]
"""
    )


def test_the_exit_codes_are_described_once() -> None:
    assert _page().count(f"\n{EXIT_CODES}\n") == 1
