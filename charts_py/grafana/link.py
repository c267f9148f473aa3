"""What leads from a table to another dashboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

_DATA_SOURCE = "var-datasource=${datasource}"


def dashboard_uid(name: str) -> str:
    """Return what identifies a dashboard in Grafana: in every version the same."""
    return f"gpuplane-{name}"


@dataclass(frozen=True, slots=True)
class Link:
    """A link from each value in a column of a table."""

    label: str
    """The column: a label of the series."""
    dashboard: str
    """The name of the dashboard to which it leads."""
    variables: Mapping[str, str]
    """The columns that fill its variables, by their names."""

    @property
    def url(self) -> str:
        """Where it leads, with the data source and the time that the reader has chosen.

        Syntax: https://grafana.com/docs/grafana/v11.6/dashboards/variables/variable-syntax/ and
        https://grafana.com/docs/grafana/v11.6/panels-visualizations/configure-data-links/
        """
        filled = (f"var-{quote(name)}=${{__data.fields.{c}}}" for name, c in self.variables.items())
        parameters = "&".join((_DATA_SOURCE, *filled, "${__url_time_range}"))
        return f"/d/{dashboard_uid(self.dashboard)}?{parameters}"
