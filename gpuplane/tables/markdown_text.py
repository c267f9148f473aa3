"""Text in GitHub-flavoured Markdown that is read as neither Markdown nor HTML.

What a comment names comes from files, which anybody may write who can open a pull request.
"""

import re

from policies.document import printable

_SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\`*_[]|~#"})
_SPECIAL_IN_CODE = re.compile(r"[\\`*|]|~(?!\s)|\](?=[(\[])|(?<!\w)_|_(?!\w)")
"""Tags do not keep Markdown between them from being read; but what a reference stands for is text
(https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references)."""
_URL = re.compile(r"(https://[^\s<>()|`*@\[\]\\]+)")
_MENTION = re.compile(r"(?<!\w)@(?=\w)")
"""Calls a person or a team, a backslash before it or not."""
_SHORTEST_FENCE = 3


def escaped(text: str) -> str:
    """Return text on one line that stands for itself, and calls nobody; URLs in it stay links."""
    parts = _URL.split(_on_one_line(text))
    return "".join(
        part if number % 2 else _MENTION.sub("@&#8203;", _plain(part).translate(_SPECIAL))
        for number, part in enumerate(parts)
    )


def code(text: str) -> str:
    """Return text as code on one line, in HTML, so that it can stand in a table, too."""
    return f"<code>{_SPECIAL_IN_CODE.sub(_reference, _plain(_on_one_line(text)))}</code>"


def fenced(text: str, language: str) -> str:
    """Return lines as a block of code, whose fence is longer than any in the text."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(_SHORTEST_FENCE, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _on_one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def _plain(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _reference(special: re.Match[str]) -> str:
    return f"&#{ord(special[0])};"
