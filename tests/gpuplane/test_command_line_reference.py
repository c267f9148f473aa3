"""The reference of the command line."""

import re

from gpuplane.application import EXIT_CODES, create_application
from gpuplane.command_line_reference import command_line_reference


def _page() -> str:
    return command_line_reference(create_application())


def test_every_command_has_a_section_but_hidden_ones() -> None:
    assert re.findall(r"^#+ gpuplane (.*)$", _page(), re.MULTILINE) == [
        "synth",
        "validate",
        "diff",
        "admit",
        "rules",
        "serve",
        "init",
        "hardware",
        "schema",
        "version",
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
gpuplane version [OPTIONS]
```

- `--help`: Show this message and exit.
"""
    )


def test_the_exit_codes_are_described() -> None:
    assert f"\n{EXIT_CODES}\n" in _page()
