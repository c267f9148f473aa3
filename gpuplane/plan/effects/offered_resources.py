"""The resources that the pools of a cluster offer, by the settings of its rules."""

from functools import lru_cache

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP, SETTINGS_KEY
from gpuplane.plan.object_change import ClusterObjects
from gpuplane.versions.difference import PlacedDocuments
from policies.offer import Offer
from policies.settings import Settings
from policies.settings_error import SettingsError
from policies.settings_json import read_settings


def stated_settings(documents: PlacedDocuments) -> Settings | None:
    """Return the settings of the rules that a version renders; None where it renders none.

    Raises SettingsError where this version of gpuplane cannot read them.
    """
    text = _stated_text(documents)
    return None if text is None else read_settings(text)


def _stated_text(documents: PlacedDocuments) -> str | None:
    for placed, document in documents.items():
        if placed.key.kind == "ConfigMap" and placed.key.name == SETTINGS_CONFIG_MAP:
            text: str = document["data"][SETTINGS_KEY]
            return text
    return None


def is_no_longer_offered(cluster: ClusterObjects, resource: str) -> bool:
    """Return whether some pool offered a resource before a change, and none does afterwards."""
    return _is_offered(cluster.before, resource) and not _is_offered(cluster.after, resource)


def is_newly_offered(cluster: ClusterObjects, resource: str) -> bool:
    """Return whether some pool offers a resource after a change, and none did before."""
    return _is_offered(cluster.after, resource) and not _is_offered(cluster.before, resource)


def _is_offered(documents: PlacedDocuments, resource: str) -> bool:
    """Return whether a pool of one side offers a resource; not where its settings say nothing."""
    text = _stated_text(documents)
    return text is not None and resource in _offered(text)


@lru_cache(maxsize=2)
def _offered(settings: str) -> frozenset[str]:
    """Return what pools offer by settings: of both sides once, however many quotas ask."""
    try:
        return frozenset(Offer(read_settings(settings).pools).resources)
    except SettingsError:
        return frozenset()
