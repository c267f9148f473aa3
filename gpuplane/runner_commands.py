r"""Orders to CI runners, which read them from what a command prints.

Whoever names a file or an object could give them, as with `##[stop-commands]`, which hides all
annotations behind it. So they are shown by their bytes, as `\x3a`, or as JSON and XML have them.

GitHub takes `::` at the start of a line, behind white space too, and `##[` anywhere
(https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs), and Azure
`##vso[` and `##[`
(https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands).
"""

import re

_ANYWHERE = re.compile(r"#(?=#(?:vso)?\[)", re.IGNORECASE)
_AT_START = re.compile(r"(?:^|(?<=\r))([^\S\r\n]*):(?=:)", re.MULTILINE)
"""A carriage return ends a line of .NET, in which runners are written."""


def without_orders(text: str) -> str:
    """Return lines that order no runner anything."""
    return _AT_START.sub(r"\g<1>\\x3a", in_commands(text))


def in_commands(text: str) -> str:
    """Return commands that are meant, without any in what they print."""
    return _ANYWHERE.sub(r"\\x23", text)


def in_json(text: str) -> str:
    """Return JSON of the same meaning without orders."""
    return _ANYWHERE.sub(r"\\u0023", text)


def in_xml(text: str) -> str:
    """Return XML of the same meaning without orders."""
    return _ANYWHERE.sub("&#35;", text)
