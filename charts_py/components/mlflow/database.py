"""The PostgreSQL of MLflow: one of the platform's own, or where one of the platform team's is."""

from collections.abc import Iterator, Mapping
from typing import Any

from charts_py.cluster_file.model_registry import Database
from charts_py.components.mlflow.access import MLFLOW_SELECTOR
from charts_py.components.network_rules import Fields, tcp
from charts_py.components.object_table import read_objects
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.platform.model_registry import MLFLOW
from charts_py.platform.wave import CONFIRMED_REMOVAL

DATABASE_IMAGE = "docker.io/library/postgres:17.7"
_NAME = f"{MLFLOW}-database"
_SELECTOR = {"app.kubernetes.io/name": _NAME}
_PORT = 5432
_USER = 999
"""User and group `postgres` of the image
(https://github.com/docker-library/postgres, Dockerfile-debian.template)."""
VARIABLES = {"PGHOST": _NAME, "PGUSER": MLFLOW, "PGDATABASE": MLFLOW}
"""By which clients find it; the password is in the Secret."""


def database_objects(
    database: Database, image: str, pod: Mapping[str, Any], shared: Mapping[str, Any]
) -> Iterator[Document]:
    """Yield the platform's own; nothing where there is one already."""
    if database.is_external:
        return
    user = dict.fromkeys(("runAsUser", "runAsGroup", "fsGroup"), _USER)
    yield from read_objects(
        __package__,
        "database",
        **shared,
        **{**pod, "pod_security": {**pod["pod_security"], **user}},
        name=_NAME,
        labels=_SELECTOR,
        clients=MLFLOW_SELECTOR,
        image=image,
        port=_PORT,
        user=MLFLOW,
        secret=database.secret,
    )
    yield volume_claim(_NAME, database.volume, database.storage_class)


def to_database(database: Database) -> Fields:
    """Return the rule that lets MLflow out to it."""
    if database.is_external:
        peers = [{"ipBlock": {"cidr": cidr}} for cidr in database.addresses]
        return {"to": peers, "ports": tcp([database.port])}
    return {"to": [{"podSelector": {"matchLabels": _SELECTOR}}], "ports": tcp([_PORT])}


def volume_claim(name: str, size: str, storage_class: str | None) -> Document:
    """Return the claim of a volume whose removal a person confirms."""
    spec: dict[str, Any] = {
        "accessModes": ["ReadWriteOnce"],
        "resources": {"requests": {"storage": size}},
        **({"storageClassName": storage_class} if storage_class else {}),
    }
    metadata = ObjectMeta(name, MLFLOW, annotations=CONFIRMED_REMOVAL)
    return object_of("v1", "PersistentVolumeClaim", metadata, {"spec": spec})
