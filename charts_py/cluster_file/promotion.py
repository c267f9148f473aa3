"""When a version may go live on a cluster, and the instants of holds and freezes."""

import datetime as dt
import re
from typing import Annotated

from pydantic import AfterValidator, Field

from charts_py.cluster_file.bounds import Refused, Unique
from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import MailAddress

_FORMAT = "YYYY-MM-DDThh:mm[:ss] with Z or an offset, as 2026-12-18T18:00:00+01:00"
_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d)?(?P<zone>[Zz]|[+-]\d\d:\d\d)?")


def parse_instant(text: str) -> dt.datetime:
    """Return a point in time; raise ValueError where it is none, or has no time zone."""
    instant = dt.datetime.fromisoformat(text.upper())
    if instant.tzinfo is None:
        raise ValueError(f"{text} has no time zone")
    return instant


def _instant(text: str) -> str:
    written = _RFC_3339.fullmatch(text)
    if written is None:
        raise Refused(f'"{text}" is not a point in time', _FORMAT)
    if written["zone"] is None:
        raise Refused(f'"{text}" has no time zone', _FORMAT, (f"{text}Z",))
    try:
        parse_instant(text)
    except ValueError as error:
        raise Refused(f'"{text}": {error}', _FORMAT) from error
    return text


Instant = Annotated[str, AfterValidator(_instant), Field(examples=["2026-12-18T18:00:00+01:00"])]
"""A date and time with its zone (https://www.rfc-editor.org/rfc/rfc3339), seconds or none."""
_HOURS_OF_A_YEAR = 24 * 365


class Freeze(StrictModel):
    """A time in which no version goes live."""

    from_: Instant = Field(alias="from")
    """When it begins."""
    to: Instant = Field(examples=["2027-01-04T08:00:00+01:00"])
    """When it ends."""
    reason: str = Field(min_length=8)
    """What it is for."""
    clusters: Annotated[tuple[str, ...], Unique()] = Field(default=(), examples=[["training"]])
    """The clusters that it holds for; all by default."""

    @property
    def begins(self) -> dt.datetime:
        """When it begins."""
        return parse_instant(self.from_)

    @property
    def ends(self) -> dt.datetime:
        """When it ends; by then versions may go live again."""
        return parse_instant(self.to)

    def holds(self, cluster: str, now: dt.datetime) -> bool:
        """Return whether it keeps a cluster as it is at a point in time."""
        return cluster in (self.clusters or (cluster,)) and self.begins <= now < self.ends


class Hold(StrictModel):
    """Why a cluster stays on the version that is live."""

    reason: str = Field(min_length=8)
    """What has to be done first."""
    owner: MailAddress
    """Email address of the person who asked for it."""
    until: dt.date
    """Last day of it, in UTC; afterwards `gpuplane synth` warns of it."""

    @property
    def ends(self) -> dt.datetime:
        """When versions may go live again."""
        next_day = self.until + dt.timedelta(days=1)
        return dt.datetime.combine(next_day, dt.time(), dt.UTC)


class Promotion(StrictModel):
    """When a version may go live, as `gpuplane promote` sees to it (docs/versions.md).

    Stated in `fleet.yaml`, it holds for every cluster; a cluster file may state a part otherwise.
    """

    chain: Annotated[tuple[str, ...], Unique()] = Field(
        default=(), examples=[["staging", "training"]]
    )
    """Clusters in the order in which they take a change of what they share: versions of gpuplane
    and of charts, and `fleet.yaml`. Those that it does not name wait for none."""
    soak_hours: int = Field(default=24, ge=0, le=_HOURS_OF_A_YEAR)
    """Hours that the cluster before must have run a change until it goes live on the next."""
    freezes: tuple[Freeze, ...] = ()
    """Times in which nothing goes live."""
    hold: Hold | None = None
    """Keeps the live version; in the file of a cluster, that of this one alone."""

    def before(self, cluster: str) -> str | None:
        """Return the cluster that has to run a change before another; None where none has."""
        if cluster not in self.chain[1:]:
            return None
        return self.chain[self.chain.index(cluster) - 1]
