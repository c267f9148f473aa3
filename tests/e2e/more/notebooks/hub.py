"""The hub of a namespace: what its chart makes, and a Python that has what its image has."""

import base64
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from charts_py.components.jupyterhub.definition import JUPYTERHUB_DEFINITION
from charts_py.helm.program import Helm
from charts_py.objects.document import Document
from charts_py.objects.manifest_yaml import from_yaml, to_yaml
from charts_py.platform.platform import Platform
from tests.binaries.pinned_program import HELM

_PACKAGES = (
    "jupyterhub==5.5.0",
    "jupyterhub-kubespawner==7.1.0",
    "oauthenticator==17.4.0",
    "pycurl==7.49.0",
)
"""The chart says which versions of the first two its image has."""
_MOUNTED = {"ConfigMap": "config", "Secret": "secret"}
"""Folders of the hub that show what is in these objects."""
_SECRET_OF_THE_TEAM = {
    "hub.config.ConfigurableHTTPProxy.auth_token": "token",
    "hub.config.JupyterHub.cookie_secret": "cookie",
}


@dataclass(frozen=True, slots=True)
class Hub:
    namespace: str
    objects: list[Document]
    """All that the chart makes."""

    @property
    def account(self) -> str:
        (found,) = (each for each in self.objects if each["kind"] == "ServiceAccount")
        name: str = found["metadata"]["name"]
        return name

    def of_kinds(self, kinds: Iterable[str]) -> list[Document]:
        return [each for each in self.objects if each["kind"] in kinds]


def render_hub(platform: Platform, mirror: Path, folder: Path) -> Hub:
    """Render the one hub of a platform with the pinned chart."""
    (component,) = JUPYTERHUB_DEFINITION.plan(platform)
    assert component.helm is not None
    values = folder / "values.yaml"
    values.write_text(to_yaml(dict(component.helm.values)))
    chart = mirror / "charts" / component.helm.chart
    command: list[str | Path] = [
        component.helm.chart,
        chart,
        "--namespace",
        component.namespace,
        "--values",
        values,
    ]
    printed = Helm(HELM.build()).template(command)
    namespace = {"namespace": component.namespace}
    objects = [
        {**each, "metadata": {**each["metadata"], **namespace}} for each in from_yaml(printed)
    ]
    return Hub(component.namespace, objects)


def write_mounted(hub: Hub, folder: Path) -> Path:
    """Write what stands below `/usr/local/etc/jupyterhub` in the hub."""
    for each in hub.of_kinds(_MOUNTED):
        _write(folder / _MOUNTED[each["kind"]], {name: _text(each, name) for name in each["data"]})
    _write(folder / "existing-secret", _SECRET_OF_THE_TEAM)
    return folder


def install_kubespawner(folder: Path) -> Path:
    """Return a Python that has KubeSpawner; needs a package index."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", *_PACKAGES], check=True)
    return python


def _write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text)


def _text(document: Document, name: str) -> str:
    value: str = document["data"][name]
    return base64.b64decode(value).decode() if document["kind"] == "Secret" else value
