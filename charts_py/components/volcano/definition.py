"""Volcano, the scheduler of GPU pods where the cluster file says so.

It starts the pods of a job together, once its queue has room and nodes have. Pods that ask for no
GPU stay with the scheduler of Kubernetes. Its webhooks judge kinds of its own alone: while none
answers, or no scheduler of it runs, GPU pods wait, and nothing else does. https://volcano.sh
"""

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.queue_engine import QueueEngine
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.volcano.api import DEFAULT_QUEUE, NAMESPACE, VOLCANO_NAME
from charts_py.metrics.table import read_table
from charts_py.objects.manifest_yaml import to_yaml
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

_ITS_OWN = (DEFAULT_QUEUE, "root")
"""Queues that it makes itself."""


def check_volcano(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for a second pull secret, and for namespaces named as queues of its own."""
    if not draft.is_whole(("queues",)) or draft.cluster.queue_engine is not QueueEngine.VOLCANO:
        return
    secrets = draft.cluster.pull_secret_names
    if len(secrets) > 1:
        what = f"Volcano pulls by one secret, and there are {len(secrets)}: {', '.join(secrets)}"
        yield Problem(("queues", "engine"), what, "one secret for all registries")
    for path, name, _ in draft.namespaces():
        if name in _ITS_OWN:
            yield Problem(path, f'Volcano has a queue "{name}" of its own', "another name")


def volcano_values(platform: Platform) -> Mapping[str, Any]:
    return known_chart(VOLCANO_NAME).stated_values(
        platform,
        pull_secret=next(iter(platform.cluster.pull_secret_names), None),
        configuration=to_yaml(read_table(files(__package__) / "scheduler.yaml")),
    )


VOLCANO = Definition(
    name=VOLCANO_NAME,
    description=__doc__,
    appears="where the cluster has queues of Volcano",
    is_wanted=lambda platform: platform.cluster.queue_engine is QueueEngine.VOLCANO,
    fields=("queues",),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(NAMESPACE, PodSecurity.BASELINE, goes_last=True),
    charts=(known_chart(VOLCANO_NAME),),
    values=volcano_values,
    checks=(check_volcano,),
)
