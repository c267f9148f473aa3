"""Versions of what is rendered."""

from typing import Annotated

import semver
from pydantic import AfterValidator, Field

from charts_py.spec.refused import Refused

_FORMAT = "MAJOR.MINOR.PATCH[-PRERELEASE]"


def _semantic_version(text: str) -> str:
    if not semver.Version.is_valid(text):
        raise Refused(f'"{text}" is not a semantic version', _FORMAT)
    if semver.Version.parse(text).build is not None:
        raise Refused(f'"{text}" has build metadata', _FORMAT)
    return text


SemanticVersion = Annotated[
    str, AfterValidator(_semantic_version), Field(examples=["1.2.0", "1.3.0-rc.1"])
]
"""https://semver.org, without build metadata, which comparisons ignore."""
