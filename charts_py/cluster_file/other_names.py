"""What the clouds and other tools call values and fields of a cluster file."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from gpus.nearest import nearest

_OTHER_NAMES: Mapping[str, Sequence[str]] = {
    "amazon": ("eks",),
    "aws": ("eks",),
    "azure": ("aks",),
    "bare-metal": ("onprem",),
    "baremetal": ("onprem",),
    "block": (
        "enforce",
        "refuse",
    ),
    "branch": ("revision",),
    "committed": ("reserved",),
    "deny": (
        "enforce",
        "refuse",
    ),
    "disabled": ("off",),
    "dry-run": ("audit",),
    "dryrun": ("audit",),
    "error": (
        "refuse",
        "enforce",
    ),
    "expr": ("expression",),
    "gcp": ("gke",),
    "google": ("gke",),
    "interactive": ("notebooks",),
    "jupyter": ("notebooks",),
    "low-priority": ("spot",),
    "maxcount": ("max",),
    "maxsize": ("max",),
    "mincount": ("min",),
    "minsize": ("min",),
    "model": ("gpu",),
    "odcr": ("reserved",),
    "oss": ("open",),
    "preemptible": ("spot",),
    "pytorch": ("torch",),
    "repourl": ("repository",),
    "serving": ("inference",),
    "strict": (
        "enforce",
        "restricted",
    ),
    "targetrevision": ("revision",),
    "url": ("repository",),
    "vmsize": ("instanceType",),
    "weight": ("value",),
    "zone": ("location",),
}
"""By their names in lower case; of several, the first one counts that is allowed."""


def nearest_name(name: str, allowed: Collection[str]) -> tuple[str, ...]:
    """Return the name that another one stands for, or else those that are spelled alike."""
    meant = [each for each in _OTHER_NAMES.get(name.lower(), ()) if each in allowed]
    return tuple(meant[:1]) or nearest(name, allowed)


def respelled(text: str, pattern: str) -> tuple[str, ...]:
    """Return the first spelling of a text that a pattern matches as a whole; empty without one."""
    fitting = (each for each in _spellings(text.strip(), pattern) if re.fullmatch(pattern, each))
    return tuple(fitting)[:1]


def _spellings(text: str, pattern: str) -> Iterator[str]:
    yield text
    yield text.lower()
    if "://" in text:
        yield from _without_scheme(text, pattern)
        return
    if text.startswith("arn:"):
        yield text.rpartition("/")[2]
    # With the slash that ends a prefix, or the scheme of a URL; and as a path in a folder.
    yield from (f"{text}/", f"https://{text}")
    yield re.sub(r"/+", "/", text).removeprefix("./").strip("/")
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    yield from (words, words.replace("-", ""))


def _without_scheme(url: str, pattern: str) -> Iterator[str]:
    """Yield what follows the scheme where it may begin with a host, which may have a port."""
    rest = url.partition("://")[2]
    host, slash, path = rest.partition("/")
    for end in ("", "/"):
        if re.fullmatch(pattern, f"{host.partition(':')[0]}:443{slash}{path}{end}"):
            yield f"{rest}{end}"
