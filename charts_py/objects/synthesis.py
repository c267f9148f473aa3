"""Running constructs in a cdk8s App and taking their documents out of it."""

from collections.abc import Callable

from cdk8s import App, Chart
from constructs import Construct

from charts_py.objects.document import Document


class Synthesis:
    """One cdk8s App; each component becomes a Chart of it."""

    def __init__(self) -> None:
        self._app = App()

    def documents(
        self, name: str, construct: Callable[[Construct], object]
    ) -> tuple[Document, ...]:
        """Run a construct in a Chart of its own and return the documents that it adds."""
        chart = Chart(self._app, name, disable_resource_name_hashes=True)
        construct(chart)
        return tuple(chart.to_json())
