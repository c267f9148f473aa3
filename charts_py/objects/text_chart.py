"""A chart that passes its documents on as text."""

from cdk8s import Chart
from constructs import Construct


class TextChart(Chart):
    """A chart of `Synthesis`, which reads the text; an App of cdk8s would write it as it is."""

    @classmethod
    def holds(cls, scope: Construct) -> bool:
        """Whether a construct is in one, and not in a chart of somebody else's App."""
        return isinstance(Chart.of(scope), cls)
