"""Where the nodes of a pool stand in the network."""

from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import LabelKey
from charts_py.cluster_file.unique import Unique


class Topology(StrictModel):
    """Queues place the pods of a job near each other; `{}` uses the provider's labels."""

    levels: Annotated[tuple[LabelKey, ...], Unique()] = Field(
        default=(), examples=[["example.com/block", "example.com/rack"]]
    )
    """Labels of the nodes that say where they stand, the outermost first, such as block and rack;
    the node itself is always the last level. Empty takes those that the provider labels nodes of
    the instance type with (docs/queues.md)."""
