"""One cluster that takes jobs for several, each of which runs where it fits first."""

from typing import Annotated

from pydantic import Field

from charts_py.cluster_file.strict_model import StrictModel
from charts_py.cluster_file.text_forms import NamespaceName
from charts_py.cluster_file.unique import Unique

_MOST_WORKERS = 20
"""https://github.com/kubernetes-sigs/kueue, apis/kueue/v1beta2/multikueue_types.go at v0.19.2"""


class MultiKueue(StrictModel):
    """A cluster that takes jobs, and those that run them. It is the same for all of them."""

    manager: str = Field(examples=["hub"])
    """The cluster that takes the jobs. It needs `queues` of Kueue, too."""
    workers: Annotated[tuple[str, ...], Unique()] = Field(
        min_length=1, max_length=_MOST_WORKERS, examples=[["training", "onprem"]]
    )
    """The clusters that run them. A job goes to the one that lets it start first."""
    namespaces: Annotated[tuple[NamespaceName, ...], Unique()] = Field(
        min_length=1, examples=[["research-training"]]
    )
    """Namespaces whose jobs go to the workers: each is one of the same team in all these clusters,
    with a quota on GPUs in every worker, and none in the manager."""

    def is_manager(self, cluster: str) -> bool:
        """Return whether a cluster takes the jobs."""
        return cluster == self.manager

    def is_worker(self, cluster: str) -> bool:
        """Return whether a cluster runs them."""
        return cluster in self.workers and cluster != self.manager
