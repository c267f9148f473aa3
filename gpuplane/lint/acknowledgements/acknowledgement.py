"""Rows of the file of acknowledgements."""

import datetime as dt
from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.strict_model import StrictModel
from gpuplane.lint.content_digest import DIGITS

Words = Annotated[str, Field(min_length=1)]


class Acknowledgement(StrictModel):
    """A finding that somebody has acknowledged."""

    rule: Words
    file: Words
    """Path from the folder above that of the acknowledgements."""
    object: Words
    """Kind and name: `Job train`."""
    content: Annotated[str, Field(pattern=f"^[0-9a-f]{{{DIGITS}}}$")]
    """Digest of what the finding is about."""
    reason: Words
    by: Words
    """Who acknowledged it, such as an email address."""
    expires: dt.date | None = None
    """Last day on which it holds."""


class Acknowledgements(StrictModel):
    """The whole file."""

    acknowledged: tuple[Acknowledgement, ...] = ()
