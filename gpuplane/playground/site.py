"""What the local server has: the page, and answers to what it asks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gpuplane.playground.answer import Answer
from gpuplane.playground.cluster_facts import ClusterFacts
from gpuplane.playground.page import Answering, Page, build_page
from gpuplane.playground.page_data import page_data
from gpuplane.playground.playground_answer import playground_answer
from gpuplane.playground.playground_cluster import PlaygroundCluster, playground_cluster
from gpuplane.playground.question import Question
from gpuplane.versions.dist_error import unknown
from policies.today import today

_BY_SERVER = Answering(
    script="ask_server.js",
    where="It is sent to the gpuplane on this machine, and no further.",
    allowed={"connect-src": "'self'"},
    blocks={},
)


@dataclass(frozen=True, slots=True)
class Site:
    """The page, and the clusters that answer."""

    page: Page
    clusters: Mapping[str, PlaygroundCluster]
    """By name."""

    def answer(self, body: bytes) -> Answer:
        """Answer a question; raises ValueError or DistError, which say what is wrong with it."""
        question = msgspec.json.decode(body, type=Question)
        cluster = self.clusters.get(question.cluster)
        if cluster is None:
            raise unknown("cluster", question.cluster, self.clusters)
        return playground_answer(cluster, question.manifest, question.namespace or None, today())


def local_site(clusters: Sequence[ClusterFacts], examples: Path) -> Site:
    """Return the site of these clusters; `examples` is a folder of manifests, if there is one."""
    return Site(
        page=build_page(page_data(clusters, examples), _BY_SERVER),
        clusters={facts.name: playground_cluster(facts) for facts in clusters},
    )
