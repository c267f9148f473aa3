"""A registry of models: an MLflow that others run, or one that the platform installs."""

from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field

from charts_py.cluster_file.gitops import IMAGE
from charts_py.cluster_file.model_source import BUCKET, CONTAINER
from charts_py.cluster_file.quantity import PositiveQuantity
from charts_py.cluster_file.strict_model import Refused, StrictModel, Unique
from charts_py.cluster_file.text_forms import (
    Cidr,
    Destination,
    LabelKey,
    ObjectName,
    with_a_port_that_exists,
)

RegistryUri: TypeAlias = Annotated[
    str,
    Field(
        pattern=r"^https?://[A-Za-z0-9.-]+(:[1-9][0-9]{0,4})?(/[^\s@?#{}]*)?$",
        examples=["https://mlflow.example.com"],
    ),
    AfterValidator(with_a_port_that_exists),
]
"""Without credentials, which nothing in a cluster file may hold."""
_BUCKETS = (
    "s3://BUCKET/PATH, gs://BUCKET/PATH or https://ACCOUNT.blob.core.windows.net/CONTAINER/PATH"
)


def _bucket(url: str) -> str:
    if not BUCKET.fullmatch(url) and not CONTAINER.fullmatch(url):
        raise Refused(f'"{url}" is not a folder of a bucket', _BUCKETS)
    return url.rstrip("/")


BucketUrl = Annotated[str, AfterValidator(_bucket), Field(examples=["s3://example-models/mlflow"])]
_Image = Annotated[str, Field(pattern=IMAGE, examples=["registry.example.com/mlflow:3.17.2"])]


class Artifacts(StrictModel):
    """Where MLflow keeps the files of runs and models: a bucket, or else a volume."""

    bucket: BucketUrl | None = None
    """Folder of a bucket of S3, of Cloud Storage or of an Azure storage account. Servers of models
    read weights there themselves."""
    addresses: Annotated[tuple[Destination, ...], Unique()] = ()
    """CIDRs at which MLflow reaches the bucket over TLS, as in the `egress` of a namespace
    (docs/object-storage.md)."""
    secret: ObjectName | None = None
    """Secret in the namespace `mlflow` whose keys become variables of MLflow, such as
    `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `MLFLOW_S3_ENDPOINT_URL`, where no identity of
    the cloud lets it into the bucket."""
    volume: PositiveQuantity = "200Gi"
    """Size of the volume, without a bucket."""
    storage_class: ObjectName | None = None
    """Storage class of the volume; by default the cluster's own."""


class Database(StrictModel):
    """PostgreSQL, where MLflow keeps all but files: one of the platform's, or one of yours."""

    secret: ObjectName = "mlflow-database"  # noqa: S105 # its name
    """Secret in the namespace `mlflow`, which you make, whose keys become variables of clients of
    PostgreSQL: `PGPASSWORD` alone for the platform's own; for yours also `PGHOST`, `PGUSER`,
    `PGDATABASE` and what else it needs, such as `PGSSLMODE`."""
    addresses: Annotated[tuple[Cidr, ...], Unique()] = ()
    """CIDRs at which MLflow reaches a PostgreSQL of yours; without any the platform runs one."""
    port: Annotated[int, Field(ge=1, le=65535)] = 5432
    """Port of yours."""
    image: _Image | None = None
    """Image of the platform's own, by default `docker.io/library/postgres` 17. It stays at that
    major version: another one does not read the volume."""
    volume: PositiveQuantity = "20Gi"
    """Size of its volume."""
    storage_class: ObjectName | None = None
    """Storage class of its volume; by default the cluster's own."""

    @property
    def is_external(self) -> bool:
        return bool(self.addresses)


class RegistryServer(StrictModel):
    """An MLflow in the namespace `mlflow`; `{}` has it with defaults."""

    image: _Image | None = None
    """Image of MLflow from 3.9 on, by default `ghcr.io/mlflow/mlflow` with a tag that ends in
    `-full`: others lack the drivers of PostgreSQL and of buckets. Another version may change the
    tables of the database as it starts, which nothing takes back."""
    artifacts: Artifacts = Artifacts()
    """Where the files of runs and models are."""
    database: Database = Database()
    """Where all else is."""
    service_account: dict[LabelKey, str] = Field(
        default_factory=dict,
        examples=[{"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/mlflow"}],
    )
    """Annotations of its service account `mlflow`, by which a cloud lets it into the bucket."""


class ModelRegistry(StrictModel):
    """MLflow, which keeps runs and versions of models: `uri` of one, or `server` to have one."""

    uri: RegistryUri | None = None
    """Address of an MLflow that others run."""
    addresses: Annotated[tuple[Destination, ...], Unique()] = ()
    """CIDRs at which pods of teams reach `uri`, unless it names a Service of the cluster, by its
    namespace, or an address. It counts for all namespaces; without any, see their `egress`."""
    server: RegistryServer | None = None
    """Have the platform install one."""
