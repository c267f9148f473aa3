"""The REST API of MLflow, as far as it says which version an alias names, and where its files are.

https://mlflow.org/docs/latest/api_reference/rest-api.html
"""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from charts_py.cluster_file.fault import RenderError
from gpuplane.host_api import HostApi
from gpuplane.workloads.model_version import ModelReference, ModelVersion
from gpus.platform_names import LABEL_PREFIX

TRACKING_URI = "MLFLOW_TRACKING_URI"
PLACE_TAG = f"{LABEL_PREFIX}/source"
"""Tag of a version that says where its weights are, in place of its files in MLflow."""
_API = "api/2.0/mlflow"
_PROXIED = re.compile(r"mlflow-artifacts:(?://[^/]*)?(?P<path>/.*)")
_AZURE = re.compile(r"wasbs?://(?P<container>[^@/]+)@(?P<host>[^/]+)(?P<path>.*)")
_OF_RUN = re.compile(r"runs:/(?P<run>[^/]+)(?P<path>.*)")
_READ = ("s3://", "gs://", "https://", "oci://")
"""What servers read weights from."""


@dataclass(frozen=True, slots=True)
class Registry:
    """An MLflow, and the bucket in which it keeps files."""

    api: HostApi
    bucket: str | None
    """None where that is not known, or a volume."""

    def version(self, reference: ModelReference) -> ModelVersion:
        """Return the version that a reference names.

        Raises HostError where MLflow knows none or does not answer, and RenderError where no server
        reads what it keeps of it.
        """
        if reference.alias:
            asked = {"name": reference.name, "alias": reference.alias}
            found = self._get("registered-models/alias", asked)["model_version"]
        else:
            asked = {"name": reference.name, "version": reference.number}
            found = self._get("model-versions/get", asked)["model_version"]
        tags = {each["key"]: each["value"] for each in found.get("tags", ())}
        place = tags.get(PLACE_TAG) or self._place(found)
        number = str(found["version"])
        return ModelVersion(reference, number, self._read(reference, number, place))

    def _place(self, found: Mapping[str, Any]) -> str:
        asked = {"name": found["name"], "version": found["version"]}
        place = str(self._get("model-versions/get-download-uri", asked)["artifact_uri"])
        if of_run := _OF_RUN.fullmatch(place):
            run = self._get("runs/get", {"run_id": of_run["run"]})["run"]
            return f"{run['info']['artifact_uri']}{of_run['path']}"
        return place

    def _read(self, reference: ModelReference, number: str, place: str) -> str:
        read = place
        if proxied := _PROXIED.fullmatch(place):
            read = f"{self.bucket}{proxied['path']}" if self.bucket else place
        elif azure := _AZURE.fullmatch(place):
            read = f"https://{azure['host']}/{azure['container']}{azure['path']}"
        if not read.startswith(_READ):
            raise RenderError(
                f"{reference}: version {number} is at {place}, from which no server reads weights; "
                "allowed: files in a bucket, which the file of --cluster names in "
                "addons.modelRegistry.server.artifacts, or a version with the tag "
                f"{PLACE_TAG}, such as s3://BUCKET/PATH or oci://IMAGE@sha256:DIGEST"
            )
        return f"{read.rstrip('/')}{reference.folder}"

    def _get(self, path: str, asked: Mapping[str, Any]) -> Any:
        return self.api.request("GET", f"{_API}/{path}?{urlencode(asked)}")


def registry_of(url: str, environment: Mapping[str, str], bucket: str | None) -> Registry:
    """Return the registry at an address, with the credentials of MLflow's own clients.

    https://mlflow.org/docs/latest/self-hosting/security/basic-http-auth
    """
    return Registry(HostApi(url, dict(_credentials(environment))), bucket)


def _credentials(environment: Mapping[str, str]) -> Mapping[str, str]:
    if token := environment.get("MLFLOW_TRACKING_TOKEN"):
        return {"Authorization": f"Bearer {token}"}
    if user := environment.get("MLFLOW_TRACKING_USERNAME"):
        password = environment.get("MLFLOW_TRACKING_PASSWORD", "")
        encoded = base64.b64encode(f"{user}:{password}".encode()).decode()
        return {"Authorization": f"Basic {encoded}"}
    return {}
