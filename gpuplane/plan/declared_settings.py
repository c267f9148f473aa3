"""Reads the settings of the rules that a version renders."""

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP, SETTINGS_KEY
from gpuplane.versions.comparison import PlacedDocuments
from policies.settings import Settings
from policies.settings_json import read_settings


def declared_settings(documents: PlacedDocuments) -> Settings | None:
    """Return the settings of the rules that a version renders; None where it renders none.

    Raises SettingsError where this version of gpuplane cannot read them.
    """
    for placed, document in documents.items():
        if placed.key.kind == "ConfigMap" and placed.key.name == SETTINGS_CONFIG_MAP:
            return read_settings(document["data"][SETTINGS_KEY])
    return None
