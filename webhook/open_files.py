"""How many connections a process can hold by its limit on open files."""

from __future__ import annotations

import dataclasses
import resource
from typing import TYPE_CHECKING

from webhook.http.bounded_listener import MAX_BEGINNING

if TYPE_CHECKING:
    from webhook.gate import Limits

_PORTS = 2
_OTHERS = 128
"""Files that are not connections: libraries, logs, metrics, what is watched."""


def within_open_files(limits: Limits) -> Limits:
    """Raise the process's limit as far as it may be; return what fits.

    Container runtimes start processes with 1,024, which they may raise themselves: the connections
    of one port would take all, and those of the other find none left.
    """
    wanted = _PORTS * (limits.connections + MAX_BEGINNING) + _OTHERS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    fitting = (max(soft, allowed) - _OTHERS) // _PORTS - MAX_BEGINNING
    if soft == resource.RLIM_INFINITY or fitting >= limits.connections:
        return limits
    return dataclasses.replace(limits, connections=max(1, fitting))
