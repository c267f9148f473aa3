"""Which pools have runtimes, for which frameworks, and what their pods have to do without."""

from collections.abc import Iterator

from charts_py.cluster_file.fault import Fault
from charts_py.components.refused_images import allowed_images, refused_images
from charts_py.components.training_runtimes.runtime import training_runtime
from charts_py.objects.document import Document
from charts_py.platform.fabric import fabric, has_channels
from charts_py.platform.platform import Platform, TeamNamespace
from charts_py.platform.training_runtime import runtime_images, runtime_pools


def training_runtimes(platform: Platform) -> Iterator[Document]:
    """Yield the runtimes of a platform that has Trainer."""
    trainer = platform.cluster.training.trainer
    assert trainer is not None  # noqa: S101 # the component is not wanted without it
    for pool in runtime_pools(platform):
        for framework, image in runtime_images(trainer).items():
            yield training_runtime(platform, pool, framework, image)


def claims_channels(platform: Platform, namespace: TeamNamespace) -> bool:
    """Return whether jobs of a namespace can run where NVLink joins the machines."""
    pools = [pool for pool in runtime_pools(platform) if has_channels(platform, pool)]
    return any(namespace.spec.quota.gpus.get(pool.name) for pool in pools)


def without_network(platform: Platform) -> Iterator[Fault]:
    """Yield what keeps the jobs of a pool from using the network between its nodes."""
    for pool in runtime_pools(platform):
        path, network = ("pools", pool.name), fabric(platform, pool)
        if network.missing:
            what = f"{pool.hardware.interconnect} is not used by its training runtimes: "
            yield platform.fault(path, f"{what}{network.missing}")


def without_claims(platform: Platform) -> Iterator[Fault]:
    """Yield the namespaces whose quota leaves no room for the claims of their jobs' pods."""
    for namespace in platform.namespaces:
        if claims_channels(platform, namespace) and not namespace.spec.quota.resource_claims:
            path = ("teams", namespace.team_name, "namespaces", namespace.name, "quota")
            what = "every pod of a training runtime claims a channel of its NVLink domain"
            yield platform.fault(path, what, "resourceClaims, as many as nodes")


def without_image(platform: Platform) -> Iterator[Fault]:
    """Yield the frameworks whose jobs cannot start unless they name an image of their own."""
    trainer = platform.cluster.training.trainer
    assert trainer is not None  # noqa: S101 # the component is not wanted without it
    for framework, image in runtime_images(trainer).items():
        for refused in refused_images(platform, (image,)):
            what = (
                f"admission refuses pods of {framework} jobs that name no image: {refused} is of "
            )
            path = ("training", "trainer", "images", framework.value)
            yield platform.fault(path, f"{what}no allowed registry", allowed_images(platform))
