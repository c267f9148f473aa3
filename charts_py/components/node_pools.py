"""The node pools, made by what the provider has for it."""

from collections.abc import Iterator

from charts_py.components.component import Component
from charts_py.platform.platform import Platform


def plan(platform: Platform) -> Iterator[Component]:
    """Yield the component that makes the nodes."""
    provisioner = platform.provider.provisioner(platform.cluster)
    yield Component(
        name=provisioner.component,
        wave=provisioner.wave,
        namespace=provisioner.namespace,
        construct=provisioner.construct(platform),
        is_synced=provisioner.is_synced,
    )


def namespaces(platform: Platform) -> tuple[str, ...]:
    """Return the namespaces of the objects that nodes are made from."""
    return platform.provider.provisioner(platform.cluster).namespaces
