"""Releases for one namespace each, so that all ways to admit pods stand side by side.

In two of them the API server has nothing but a webhook that it is to call for every pod. It asks no
condition and no policy, so what a create costs is Kubernetes' own price of the calls.
"""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import cast

from msgspec.structs import replace

from charts_py.cluster_file.policies import Admission
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from charts_py.platform.platform import Platform
from charts_py.platform.platform_namespaces import NAMESPACE_NAME_LABEL
from charts_py.platform.policy_settings import policy_settings
from policies.in_cel.judged_annotation import judged_by
from policies.settings_json import read_settings, write_settings
from tests.e2e.claims.cluster import admitting, write_release

NOBODY = "without"
"""The namespace whose pods nobody looks at."""
NAMESPACES = {f"with-{each.value}": each for each in Admission}
"""Who fixes and judges the pods of the others."""
CALLED = "called-alone"
"""The namespace whose pods the webhook is shown and leaves as they are: to it, it is exempt."""
PATCHED = "patched-alone"
"""The namespace whose pods it fixes."""
ALONE = (CALLED, PATCHED)
_GROUP = "admissionregistration.k8s.io/v1"
_SELECTOR = "namespaceSelector"
_SETTINGS = "settings.json"


def write_mode(
    platform: Platform, admission: Admission, team: str, namespace: str, folder: Path
) -> None:
    """Render a platform for one namespace alone, which takes the place of a team's.

    Its policies and webhook configurations have names of their own.
    """
    mode = admitting(platform, admission)
    write_release(mode, folder)
    settings = policy_settings(mode)
    own = read_settings(write_settings(settings).replace(team, namespace))
    renamed = {team: namespace, judged_by(settings): judged_by(own)}
    for file in folder.glob("**/*.yaml"):
        documents = from_yaml(_replaced(file.read_text(), renamed))
        file.write_text("---\n".join(to_yaml(_bound(each, namespace)) for each in documents))


def _replaced(text: str, names: Mapping[str, str]) -> str:
    for before, after in names.items():
        text = text.replace(before, after)
    return text


def _bound(document: Document, namespace: str) -> Document:
    if document["apiVersion"] != _GROUP:
        return document
    document["metadata"]["name"] += f".{namespace}"
    if "policyName" in document.get("spec", {}):
        document["spec"]["policyName"] += f".{namespace}"
    return cast("Document", _selecting(document, namespace))


def _selecting(value: object, namespace: str) -> object:
    """Return the same, with this namespace in place of all that are not exempt."""
    if isinstance(value, list):
        return [_selecting(each, namespace) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {"matchLabels": {NAMESPACE_NAME_LABEL: namespace}}
        if key == _SELECTOR and _leaves_out(each)
        else _selecting(each, namespace)
        for key, each in value.items()
    }


def _leaves_out(selector: Document) -> bool:
    return {each["operator"] for each in selector.get("matchExpressions", ())} == {"NotIn"}


def write_alone(platform: Platform, team: str, namespace: str, folder: Path) -> None:
    """Render a platform for one of `ALONE`, which takes the place of a team's namespace."""
    write_mode(platform, Admission.BACKSTOP, team, namespace, folder)
    shutil.rmtree(folder / "admission-policies")
    _change(folder, "webhook-configuration/*.yaml", _call_always)
    if namespace == CALLED:
        _change(folder, "webhook/ConfigMap.*-settings.yaml", lambda each: _exempt(each, namespace))


def _change(folder: Path, files: str, change: Callable[[Document], None]) -> None:
    for file in folder.glob(files):
        (document,) = from_yaml(file.read_text())
        change(document)
        file.write_text(to_yaml(document))


def _call_always(configuration: Document) -> None:
    for webhook in configuration["webhooks"]:
        del webhook["matchConditions"]


def _exempt(config_map: Document, namespace: str) -> None:
    settings = read_settings(config_map["data"][_SETTINGS])
    names = (*settings.exempt_namespaces, namespace)
    config_map["data"][_SETTINGS] = write_settings(replace(settings, exempt_namespaces=names))
