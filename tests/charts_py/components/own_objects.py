"""What components put into their folders, without cdk8s, which takes a hundred times as long."""

from collections.abc import Mapping

from charts_py.components.registry import plan_components
from charts_py.components.scraping import with_monitor_labels
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform


def own_objects(platform: Platform) -> Mapping[str, tuple[Document, ...]]:
    """Return the objects of each component that has some, before patches."""
    labels = platform.monitoring.labels
    return {
        each.name: tuple(with_monitor_labels(tuple(each.objects()), labels))
        for each in plan_components(platform)
        if each.objects is not None
    }
