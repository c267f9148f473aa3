"""The units of what panels show."""

from enum import StrEnum


class Unit(StrEnum):
    """A unit, as Grafana names it.

    Source: `packages/grafana-data/src/valueFormats/categories.ts` of
    https://github.com/grafana/grafana at v11.6.0.
    """

    NUMBER = "none"
    RATIO = "percentunit"
    """From 0 to 1, shown in percent."""
    CELSIUS = "celsius"
    WATTS = "watt"
    MEGAHERTZ = "rotmhz"
    BYTES = "bytes"
    BYTES_PER_SECOND = "Bps"
    PER_SECOND = "cps"
    SECONDS = "s"
    PER_HOUR = "suffix: /h"
    """Money, whose currency the legend names."""
    PER_MONTH = "suffix: /month"
