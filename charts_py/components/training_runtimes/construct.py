"""The runtimes of every pool."""

from collections.abc import Iterable

from constructs import Construct

from charts_py.objects.document import Document
from charts_py.objects.kube_object import add_documents


class TrainingRuntimes(Construct):
    """A ClusterTrainingRuntime for each framework on each pool."""

    def __init__(self, scope: Construct, id: str, runtimes: Iterable[Document]) -> None:
        super().__init__(scope, id)
        add_documents(self, runtimes)
