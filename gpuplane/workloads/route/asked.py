"""What somebody asks of a route, and what of it a Gateway would not accept."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from charts_py.cluster_file.fault import Problem
from charts_py.platform.name_rule import NameRule, check_name

NAME = NameRule("a route", r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", 63, "chat")
"""It is a label of a hostname, too."""
USUAL_PORT, USUAL_TIMEOUT = 80, 600
_LAST_PORT, _MOST_WEIGHT, _MOST_TIMEOUT = 65535, 1_000_000, 86_400
_MOST_ITEMS = 16
"""Headers of a match, and backends of a rule, by the definition of HTTPRoutes."""
_BACKEND = re.compile(
    r"(pool/(?P<pool>[^:=/]+)|(?P<service>[^:=/]+)(:(?P<port>\d+))?)(=(?P<weight>\d+))?"
)
_SERVICE = NameRule("a Service", r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", 63, "chat")
_HEADER = r"[A-Za-z0-9!#$%&'*+.^_|~-]{1,256}"
_PATH = r"/([A-Za-z0-9._~!$&'()*+,;=:@-]+(/[A-Za-z0-9._~!$&'()*+,;=:@-]+)*/?)?"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRoute:
    """A route as it is asked for; nothing of it is checked."""

    name: str
    team: str | None = None
    namespace: str | None = None
    backends: tuple[str, ...] = ()
    """Services, as `NAME[:PORT][=WEIGHT]`, and InferencePools, as `pool/NAME[=WEIGHT]`; by default
    the Service with its name."""
    hostname: str | None = None
    path: str = "/"
    headers: tuple[str, ...] = ()
    """As `NAME=VALUE`."""
    timeout: int = USUAL_TIMEOUT
    cold_start: int | None = None
    """Seconds that a request may wait for a replica of a server that sleeps; None where it does
    not sleep."""

    @property
    def longest(self) -> int:
        """Seconds until an answer is whole."""
        return self.timeout + (self.cold_start or 0)


@dataclass(frozen=True, slots=True)
class Backend:
    """A Service that requests go to, or an InferencePool."""

    name: str
    port: int | None
    """None of an InferencePool, which has the ports of pods."""
    weight: int | None
    """Its part of the sum of all; None where it is the only one."""


def backends_of(asked: AskedRoute) -> tuple[Backend, ...]:
    """Return where requests go, as far as it can be read."""
    matches = map(_BACKEND.fullmatch, asked.backends or (asked.name,))
    return tuple(_backend(match) for match in matches if match)


def _backend(match: re.Match[str]) -> Backend:
    weight = None if match["weight"] is None else int(match["weight"])
    if match["pool"]:
        return Backend(match["pool"], None, weight)
    return Backend(match["service"], int(match["port"] or USUAL_PORT), weight)


def route_problems(asked: AskedRoute) -> Iterator[Problem]:
    """Yield what is wrong on every cluster."""
    yield from check_name(NAME, ("NAME",), asked.name)
    yield from _backend_problems(asked)
    if not re.fullmatch(_PATH, asked.path) or {".", ".."} & {*asked.path.split("/")}:
        yield Problem(("--path",), f'"{asked.path}" is not a path', "one such as /v1")
    yield from _header_problems(asked)
    for option, seconds in (("--timeout", asked.timeout), ("--cold-start", asked.cold_start)):
        if seconds is not None and not 1 <= seconds <= _MOST_TIMEOUT:
            what = f"{seconds} is out of bounds"
            yield Problem((option,), what, f"1 to {_MOST_TIMEOUT} seconds")


def _header_problems(asked: AskedRoute) -> Iterator[Problem]:
    option, names = ("--header",), list[str]()
    for header in asked.headers:
        name, _, value = header.partition("=")
        if not value or not re.fullmatch(_HEADER, name):
            what = f'"{header}" is not a header with its value'
            yield Problem(option, what, "NAME=VALUE, such as x-model=chat")
        elif name.lower() in names:
            yield Problem(option, f"{name} stands there twice", "each name once")
        names.append(name.lower())
    if len(names) > _MOST_ITEMS:
        yield Problem(option, f"{len(names)} headers", f"at most {_MOST_ITEMS}")


def _backend_problems(asked: AskedRoute) -> Iterator[Problem]:
    option = ("--to",)
    for each in asked.backends:
        if not _BACKEND.fullmatch(each):
            allowed = "NAME[:PORT][=WEIGHT] of a Service, or pool/NAME[=WEIGHT]"
            yield Problem(option, f'"{each}" is nothing that requests can go to', allowed)
    if len(asked.backends) > _MOST_ITEMS:
        yield Problem(option, f"{len(asked.backends)} backends", f"at most {_MOST_ITEMS}")
    found = backends_of(asked)
    for backend in found if asked.backends else ():
        yield from check_name(_SERVICE, option, backend.name)
        if backend.port is not None and not 1 <= backend.port <= _LAST_PORT:
            what = f"{backend.port} is not a port"
            yield Problem(option, what, f"1 to {_LAST_PORT}")
    yield from _weight_problems(found)


def _weight_problems(backends: tuple[Backend, ...]) -> Iterator[Problem]:
    option, weights = ("--to",), [each.weight for each in backends]
    stated = [weight for weight in weights if weight is not None]
    kinds = Counter((each.name, each.port is None) for each in backends)
    twice = [name for (name, _), count in kinds.items() if count > 1]
    if twice:
        yield Problem(option, f"{twice[0]} stands there twice", "each name once")
    if len(backends) > 1 and len(stated) < len(backends):
        missing = next(each.name for each in backends if each.weight is None)
        what = f"{missing} has no weight, beside others"
        yield Problem(option, what, f"{missing}=WEIGHT, its part of the sum of all")
    elif stated and sum(stated) == 0:
        yield Problem(option, "all weights are 0", "at least one above 0")
    if max(stated, default=0) > _MOST_WEIGHT:
        yield Problem(option, f"{max(stated)} is out of bounds", f"weights up to {_MOST_WEIGHT}")
