"""Releases of which the API server has nothing but a webhook that it is to call for every pod.

It asks no condition and no policy, so what a create costs is Kubernetes' own price of the calls.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from msgspec.structs import replace

from benchmarks.apiserver_modes import write_mode
from charts_py.cluster_file.policies import Admission
from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from policies.settings_json import read_settings, write_settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from charts_py.objects.document import Document
    from charts_py.platform.platform import Platform

CALLED = "called-alone"
"""The namespace whose pods the webhook is shown and leaves as they are: to it, it is exempt."""
PATCHED = "patched-alone"
"""The namespace whose pods it fixes."""
ALONE = (CALLED, PATCHED)
_SETTINGS = "settings.json"


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
