"""What the admission webhook's server knows of its cluster, as a ConfigMap."""

from charts_py.components.webhook.server import NAME, NAMESPACE
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from policies.settings import Settings
from policies.settings_json import without_custom_rules, write_settings

SETTINGS_CONFIG_MAP = f"{NAME}-settings"
SETTINGS_KEY = "settings.json"


def settings_config_map(settings: Settings) -> Document:
    """Return the ConfigMap that the server reads, and reads again when it changes."""
    written = write_settings(without_custom_rules(settings))
    metadata = ObjectMeta(SETTINGS_CONFIG_MAP, NAMESPACE)
    return object_of("v1", "ConfigMap", metadata, {"data": {SETTINGS_KEY: written}})
