"""Asking a component whether it is there."""

from pathlib import Path

import urllib3

_TIMEOUT_SECONDS = 5


def answers(url: str, authority: Path | None = None) -> bool:
    """Tell whether a URL answers 200; an https one is trusted by an authority's PEM file."""
    trusted = None if authority is None else str(authority)
    with urllib3.PoolManager(retries=False, timeout=_TIMEOUT_SECONDS, ca_certs=trusted) as pool:
        try:
            return pool.request("GET", url).status == 200
        except urllib3.exceptions.HTTPError:
            return False
