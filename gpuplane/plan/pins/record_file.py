"""The file of a record, as people write it."""

from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.strict_model import StrictModel
from gpuplane.plan.pins.pinned import PinKind
from gpuplane.plan.verdict import VerdictWord

Words = Annotated[str, Field(min_length=1)]
Address = Annotated[str, Field(pattern="^https://")]


class WrittenChange(StrictModel):
    """One thing that a bump changes."""

    what: Words
    """A full sentence."""
    verdict: VerdictWord
    needs: Words | None = None
    """Value of the chart without which it does not matter, such as `driver.enabled`."""
    unless: Words | None = None
    """Value of the chart with which it does not matter, such as `driver.version`."""


class WrittenRecord(StrictModel):
    """What one change of a pin does."""

    kind: PinKind
    name: Words
    """Of a chart; `nvidia` of a driver; owner and repository of CRDs."""
    from_version: Annotated[Words, Field(alias="from")]
    to: Words
    changes: Annotated[tuple[WrittenChange, ...], Field(min_length=1)]
    rollout: Words
    """How it reaches what runs, in full sentences."""
    sources: Annotated[tuple[Address, ...], Field(min_length=1)]
    """URLs at the versions that were compared."""
