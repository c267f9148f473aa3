"""Versions of what is rendered."""

import re
from typing import Annotated

import semver
from pydantic import AfterValidator, Field

from charts_py.cluster_file.refused import Refused

NOT_LIVE = "none"
"""In the place of a live version: Argo CD syncs none."""

_FORMAT = "MAJOR.MINOR.PATCH[-PRERELEASE]"


def _semantic_version(text: str) -> str:
    if not semver.Version.is_valid(text):
        raise Refused(f'"{text}" is not a semantic version', _FORMAT, _nearest(text))
    if semver.Version.parse(text).build is not None:
        raise Refused(f'"{text}" has build metadata', _FORMAT)
    return text


def _nearest(text: str) -> tuple[str, ...]:
    """Return the version that a tag such as `v1.2.0`, or `1.2`, stands for."""
    numbers = re.fullmatch(r"v?([0-9]+)(\.[0-9]+)?(\.[0-9]+)?(-[0-9A-Za-z.-]+)?", text)
    if numbers is None:
        return ()
    major, minor, patch, prerelease = numbers.groups()
    near = f"{major}{minor or '.0'}{patch or '.0'}{prerelease or ''}"
    return (near,) if semver.Version.is_valid(near) else ()


def _live_version(text: str) -> str:
    if text == NOT_LIVE:
        return text
    try:
        return _semantic_version(text)
    except Refused as refused:
        raise Refused(refused.what, f"{_FORMAT}, or {NOT_LIVE}", refused.nearest) from None


SemanticVersion = Annotated[
    str, AfterValidator(_semantic_version), Field(examples=["1.2.0", "1.3.0-rc.1"])
]
"""https://semver.org, without build metadata, which comparisons ignore."""

LiveVersion = Annotated[
    str, AfterValidator(_live_version), Field(examples=["1.2.0", "1.3.0-rc.1", NOT_LIVE])
]
"""The same, or `none`."""
