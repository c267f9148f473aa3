"""Answers in a browser, where Pyodide runs this."""

import msgspec

from gpuplane.playground.answer import Question
from gpuplane.playground.cluster_facts import ClusterFacts, playground_cluster
from gpuplane.playground.playground_answer import playground_answer
from policies.admission import today


class BrowserClusters:
    """The clusters of a page, which answer its questions."""

    def __init__(self, facts: str) -> None:
        """`facts`: those of the clusters, in JSON."""
        read = msgspec.json.decode(facts, type=tuple[ClusterFacts, ...])
        self._clusters = {each.name: playground_cluster(each) for each in read}

    def answer(self, question: str) -> str:
        """Answer a question; both are JSON."""
        asked = msgspec.json.decode(question, type=Question)
        cluster = self._clusters[asked.cluster]
        answer = playground_answer(cluster, asked.manifest, asked.namespace or None, today())
        return msgspec.json.encode(answer).decode()
