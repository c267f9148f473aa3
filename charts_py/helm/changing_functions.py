"""Functions of templates whose result depends on when and where a chart is rendered.

Two renderings right after one another may agree on what these return. So each name becomes a field
of `fail`, which Helm parses with any arguments, and which stops it where one is called.
"""

import re

_FUNCTIONS = {
    "reads the cluster": ("lookup",),
    "asks a name server": ("getHostByName",),
    "reads the clock": ("now", "ago"),
    "may read the clock or the time zone": (
        *("date", "dateInZone", "date_in_zone", "htmlDate", "htmlDateInZone"),
        *("toDate", "mustToDate"),
    ),
    "is random": (
        *("randAlphaNum", "randAlpha", "randAscii", "randNumeric", "randBytes", "randInt"),
        *("shuffle", "uuidv4", "bcrypt", "htpasswd", "encryptAES"),
        *("genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert"),
        *("genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey"),
    ),
    "has no fixed order": ("keys", "values"),
}
"""https://helm.sh/docs/chart_template_guide/function_list/; of what is not a time, a date is that
of now: date.go in https://github.com/Masterminds/sprig at v3.3.0."""

_REASONS = {name: reason for reason, names in _FUNCTIONS.items() for name in names}

_TEXT = r'"(?:\\.|[^"\\\n])*"|`[^`]*`|/\*.*?(?:\*/|\Z)'
"""A string or a comment, which may hold a name or the end of an action as well."""

# Text without an end is none, but is looked at once, and not from each of its beginnings.
_ACTION = re.compile(rf"\{{\{{(?>{_TEXT}|.)*?(?:\}}\}}|\Z)", re.DOTALL)
_NAME = re.compile(rf"{_TEXT}|(?<![\w.$-])(?P<name>{'|'.join(_REASONS)})(?![\w-])", re.DOTALL)
_STOPPED = re.compile(r"fail\.(\w+)")


def stopped(text: str) -> str:
    """Return a template in which calling one is an error."""
    return _ACTION.sub(lambda action: _NAME.sub(_stopped_name, action[0]), text)


def reason_at(text: str, line: int, column: int) -> str | None:
    """Return which function a rewritten template calls there and what it does; None without one.

    Lines count from 1 and columns, in bytes, from 0, as Go's templates report them.
    """
    rest = text.split("\n")[line - 1].encode("utf-8", "surrogateescape")[column:]
    call = _STOPPED.match(rest.decode("utf-8", "surrogateescape"))
    return f"{call[1]} {_REASONS[call[1]]}" if call and call[1] in _REASONS else None


def _stopped_name(found: re.Match[str]) -> str:
    return f"fail.{found['name']}" if found["name"] else found[0]
