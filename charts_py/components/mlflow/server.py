"""The objects of MLflow's server: its pod, what it reaches, and who reaches it."""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.cluster_file.model_registry import Artifacts, RegistryServer
from charts_py.components.mlflow.access import MLFLOW_SELECTOR
from charts_py.components.mlflow.database import VARIABLES, to_database, volume_claim
from charts_py.components.network_rules import from_namespaces
from charts_py.components.object_table import read_objects
from charts_py.components.team.network_policies import bucket_client_egress
from charts_py.objects.document import Document
from charts_py.platform.model_registry import MLFLOW, MLFLOW_HOST, MLFLOW_PORT
from charts_py.platform.platform import Platform

SERVER_IMAGE = "ghcr.io/mlflow/mlflow:v3.17.2-full"
_CLAIM, _ON_VOLUME = f"{MLFLOW}-artifacts", "/artifacts"
_HOSTS = (MLFLOW_HOST, f"{MLFLOW}.{MLFLOW}", f"{MLFLOW_HOST}.cluster.local")
_ANY_PORT_HERE = "localhost:*"
"""What browsers ask for behind `kubectl port-forward`."""
_VARIABLES = {
    "HOME": "/tmp",  # noqa: S108 # of the container alone
    "MLFLOW_DISABLE_TELEMETRY": "true",
    # Its jobs judge answers of language models, of which it reaches none.
    "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
}


def server_objects(
    platform: Platform,
    server: RegistryServer,
    image: str,
    pod: Mapping[str, Any],
    shared: Mapping[str, Any],
) -> Iterator[Document]:
    artifacts, database = server.artifacts, server.database
    variables = {**_VARIABLES, **({} if database.is_external else VARIABLES)}
    yield from read_objects(
        __package__,
        "server",
        **shared,
        **pod,
        name=MLFLOW,
        selector=MLFLOW_SELECTOR,
        labels={**MLFLOW_SELECTOR, **platform.provider.identity_labels},
        annotations=server.service_account,
        image=image,
        hosts=",".join([*(f"{host}:{MLFLOW_PORT}" for host in _HOSTS), _ANY_PORT_HERE]),
        port=MLFLOW_PORT,
        variables=[{"name": name, "value": value} for name, value in variables.items()],
        database_secret=database.secret,
        bucket_secret={"secretRef": {"name": artifacts.secret}} if artifacts.secret else None,
        destination=destination(artifacts),
        ingress=[from_namespaces([each.name for each in platform.namespaces], MLFLOW_PORT)],
        egress=[*bucket_client_egress(platform, artifacts.addresses), to_database(database)],
        **_volume(artifacts),
    )
    if not artifacts.bucket:
        yield volume_claim(_CLAIM, artifacts.volume, artifacts.storage_class)


def destination(artifacts: Artifacts) -> str:
    """Return where MLflow keeps files as it writes it: for Azure's containers by a scheme.

    https://mlflow.org/docs/latest/self-hosting/architecture/artifact-store
    """
    place = artifacts.bucket or _ON_VOLUME
    if not place.startswith("https://"):
        return place
    host, _, path = place.removeprefix("https://").partition("/")
    container, _, folder = path.partition("/")
    return f"wasbs://{container}@{host}/{folder}"


def _volume(artifacts: Artifacts) -> dict[str, Any]:
    if artifacts.bucket:
        return {"mount": None, "volume": None}
    return {
        "mount": {"name": "artifacts", "mountPath": _ON_VOLUME},
        "volume": {"name": "artifacts", "persistentVolumeClaim": {"claimName": _CLAIM}},
    }
