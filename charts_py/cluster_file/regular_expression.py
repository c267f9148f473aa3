"""Regular expressions that Node Feature Discovery matches names of nodes with.

It compiles them with Go's `regexp`, which takes the syntax of RE2
(https://github.com/kubernetes-sigs/node-feature-discovery/blob/v0.19.0/pkg/apis/nfd/nodefeaturerule/expression.go,
https://github.com/google/re2/wiki/Syntax). A rule with another labels no node.
"""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

from charts_py.cluster_file.refused import Refused

_COUNT = "(?:0|[1-9][0-9]{0,2}|1000)"
_LITERAL = r"x[0-9A-Fa-f]{2}|[ -/:-@\[-`{-~]"
_NAMED = "alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit"
_SHARED = re.compile(
    rf"""
    \\(?:[AbBdDsSwWafnrtv]|{_LITERAL})
    | \[\^?+\]?+(?:[^\]\\\[]|\[(?!:)|\[:\^?(?:{_NAMED}):\]|\\(?:[dDsSwWafnrtv]|{_LITERAL}))*\]
    | \((?:\?(?::|P<[A-Za-z0-9_]+>|(?:[ims]+(?:-[ims]+)?|-[ims]+):|[ims]+\))|(?!\?))
    | (?:[*+?]|\{{{_COUNT}(?:,(?:{_COUNT})?)?\}})\??(?!\+)
    | \{{(?!(?:[0-9]+,?|,)[0-9]*\}})
    | [^\\\[({{*+?]
    """,
    re.VERBOSE | re.DOTALL,
)
"""A piece that Python and RE2 both have: an escape, a class of characters, the start of a group, a
repetition, a brace that is none, or a character."""


def _expression(text: str) -> str:
    example = "one such as ^train-[0-9]+$"
    try:
        re.compile(text)
    except re.error as error:
        raise Refused(f'"{text}" is not a valid regular expression: {error}', example) from None
    end = 0
    while piece := _SHARED.match(text, end):
        end = piece.end()
    if end < len(text):
        what = f'"{text}" is not a regular expression of RE2 from position {end} on'
        lacking = "lookaround, back-references, atomic groups, possessive repetitions or \\Z"
        raise Refused(what, f"{example}, without {lacking}")
    return text


RegularExpression = Annotated[str, AfterValidator(_expression), Field(examples=["^train-[0-9]+$"])]
