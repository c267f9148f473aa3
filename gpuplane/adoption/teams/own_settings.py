"""What the settings of gpuplane's own webhook say of namespaces, where a cluster has one."""

from collections.abc import Mapping

from charts_py.components.webhook.server import SETTINGS_CONFIG_MAP, SETTINGS_KEY
from gpuplane.adoption.found_object import Inventory, strings
from policies.settings import NamespaceSettings
from policies.settings_error import SettingsError
from policies.settings_json import read_settings


def own_settings(inventory: Inventory) -> Mapping[str, NamespaceSettings]:
    """Return the settings of each namespace by its name; empty where none can be read."""
    for found in inventory.of("ConfigMap", ""):
        text = strings(found.document, "data").get(SETTINGS_KEY)
        if found.name == SETTINGS_CONFIG_MAP and text is not None:
            try:
                return read_settings(text).namespaces
            except SettingsError:
                return {}
    return {}
