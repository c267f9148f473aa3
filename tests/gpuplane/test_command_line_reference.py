"""The reference of the command line."""

import re

from gpuplane.application import create_application
from gpuplane.command_line_reference import command_line_reference
from gpuplane.exit_code import EXIT_CODES


def _page() -> str:
    return command_line_reference(create_application())


def test_every_command_has_a_section_but_hidden_ones() -> None:
    assert re.findall(r"^#+ gpuplane (.*)$", _page(), re.MULTILINE) == [
        *("synth", "validate", "lint", "diff", "plan", "release", "promote", "prune", "remove"),
        *("report", "images", "cost", "recommend", "priorities", "queues", "new", "expand"),
        *("admit", "rules", "playground", "mcp", "serve", "cull", "init", "import", "migrate"),
        *("hardware", "schema", "version"),
        "upstream",
        "upstream fetch",
        "upstream compile",
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

- `-o, --output <text|json>`: What to print on stdout: for people, or a report.  [default: text]
- `-h, --help`: Show this message and exit.
"""
    )


def test_the_exit_codes_are_described_once() -> None:
    assert _page().count(f"\n{EXIT_CODES}\n") == 1
