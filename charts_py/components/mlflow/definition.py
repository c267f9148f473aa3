"""MLflow, which records training runs and keeps versions of models, with their files.

It is one pod, beside a PostgreSQL of the platform, or with one of yours, and keeps files in a
bucket or on a volume. It asks nobody who they are: all pods of teams reach it, and nobody else. It
reaches its database, its bucket and DNS. As it starts, it brings the tables of the database up to
its version. https://mlflow.org
"""

from collections.abc import Iterator

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.model_registry import RegistryServer
from charts_py.components.definition import Definition
from charts_py.components.mlflow.database import DATABASE_IMAGE, database_objects
from charts_py.components.mlflow.server import SERVER_IMAGE, server_objects
from charts_py.components.webhook.server import restricted_pod
from charts_py.objects.document import Document
from charts_py.objects.pods import secret_references
from charts_py.platform.contribution import Contribution, Controller, PlatformNamespace
from charts_py.platform.model_registry import MLFLOW
from charts_py.platform.platform import Platform
from charts_py.platform.wave import Wave
from policies.image import registry_of
from policies.settings import PodSecurity


def server_of(cluster: Cluster) -> RegistryServer | None:
    registry = cluster.addons.model_registry
    return registry.server if registry else None


def mlflow_objects(platform: Platform) -> Iterator[Document]:
    server = server_of(platform.cluster)
    assert server is not None  # noqa: S101 # it is not wanted without
    mirrored = platform.mirrors.of
    shared = {
        "namespace": MLFLOW,
        "pull_secrets": secret_references(platform.cluster.pull_secret_names),
        "priority_class": platform.cluster.platform_priority,
    }
    pod = restricted_pod()
    image = mirrored(server.database.image or DATABASE_IMAGE)
    yield from database_objects(server.database, image, pod, shared)
    image = mirrored(server.image or SERVER_IMAGE)
    yield from server_objects(platform, server, image, pod, shared)


def registries(cluster: Cluster) -> tuple[str, ...]:
    server = server_of(cluster) or RegistryServer()
    images = (SERVER_IMAGE, DATABASE_IMAGE, server.image, server.database.image)
    return tuple(registry_of(image) for image in images if image)


MLFLOW_DEFINITION = Definition(
    name=MLFLOW,
    description=__doc__,
    appears="where the cluster asks for one",
    is_wanted=lambda platform: server_of(platform.cluster) is not None,
    fields=(
        "addons.modelRegistry.server",
        "teams",
        "priorities",
        "network.dnsAddress",
        "imagePullSecrets",
        "registries",
    ),
    depends_on=("priority-classes",),
    # Last: without its Secret it never starts, and holds up nothing else.
    wave=Wave.EXTENSIONS,
    namespace=PlatformNamespace(MLFLOW, PodSecurity.RESTRICTED, confirmed_removal=True),
    objects=mlflow_objects,
    registries=registries,
    contribution=Contribution(
        controllers=(
            Controller(MLFLOW, MLFLOW, "no run is recorded, and no version of a model is found"),
        )
    ),
)
