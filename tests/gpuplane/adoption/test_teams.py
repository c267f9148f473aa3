from gpuplane.adoption.found_object import FoundObject, Inventory
from gpuplane.adoption.teams import found_teams
from policies.settings import NamespaceSettings, Settings
from policies.settings_json import write_settings


def _object(kind: str, name: str, namespace: str = "", text: str = "") -> FoundObject:
    metadata = {"name": name, "namespace": namespace, "labels": {"team": "physics"}}
    document = {"apiVersion": "v1", "kind": kind, "metadata": metadata}
    return FoundObject({**document, "data": {"settings.json": text}}, "the cluster")


def _settings(namespace: str, purpose: str) -> FoundObject:
    settings = Settings("lab", namespaces={"lab": NamespaceSettings("physics", purpose)})
    text = write_settings(settings)
    return _object("ConfigMap", "gpuplane-webhook-settings", namespace, text)


def test_settings_of_the_webhook_are_read_in_its_namespace_alone() -> None:
    forged, own = _settings("aaa-team", "inference"), _settings("gpuplane-system", "training")
    inventory = Inventory((_object("Namespace", "lab"), forged, own), "the cluster")
    (found,) = found_teams(inventory, ()).teams["physics"]
    assert found.own == NamespaceSettings("physics", "training")
