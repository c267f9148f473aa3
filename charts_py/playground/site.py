"""What the local server has: the page, and the answers to what it asks."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from charts_py.playground.answer import Answer
from charts_py.playground.cluster_facts import ClusterFacts
from charts_py.playground.page_data import page_data
from charts_py.playground.page_files import content_policy, page_files
from charts_py.playground.playground_answer import playground_answer
from charts_py.playground.playground_cluster import PlaygroundCluster, playground_cluster
from charts_py.release.dist_error import unknown

_ALLOWED = {"script-src": "'self'", "style-src": "'self'", "connect-src": "'self'"}
_WHERE = "It is sent to the gpuplane on this machine, and no further."


@dataclass(frozen=True, slots=True)
class Question:
    """What the page asks."""

    cluster: str
    manifest: str
    namespace: str = ""
    """Takes the place of those that objects name; empty for none."""


@dataclass(frozen=True, slots=True)
class Site:
    """The files of the page, and the clusters that answer."""

    files: Mapping[str, bytes]
    policy: str
    """What the page may do."""
    clusters: Mapping[str, PlaygroundCluster]

    def answer(self, body: bytes) -> Answer:
        """Answer a question; raises ValueError or DistError, which say what is wrong with it."""
        question = msgspec.json.decode(body, type=Question)
        cluster = self.clusters.get(question.cluster)
        if cluster is None:
            raise unknown("cluster", question.cluster, self.clusters)
        today = dt.datetime.now(dt.UTC).date()
        return playground_answer(cluster, question.manifest, question.namespace or None, today)


def local_site(clusters: Sequence[ClusterFacts], examples: Path) -> Site:
    """Return the site of these clusters; `examples` is a folder of manifests, if there is one."""
    policy = content_policy(_ALLOWED)
    return Site(
        files=page_files(page_data(clusters, examples), "ask_server.js", _WHERE, policy),
        policy=policy,
        clusters={facts.name: playground_cluster(facts) for facts in clusters},
    )
