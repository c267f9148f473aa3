"""What says when to alert and what to scrape, of all components."""

from constructs import Construct

from charts_py.components.monitoring.objects import monitoring_objects
from charts_py.objects.kube_object import add_documents
from charts_py.platform.platform import Platform


class Monitoring(Construct):
    """The objects of what the components of a platform add."""

    def __init__(self, scope: Construct, id: str, platform: Platform) -> None:
        super().__init__(scope, id)
        added = platform.additions
        add_documents(self, monitoring_objects(added.scraped, added.rules, platform.monitoring))
