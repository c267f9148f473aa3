"""What the pods of Slurm have in common."""

from collections.abc import Mapping
from typing import Any

from charts_py.objects.pull_secrets import pull_secrets
from charts_py.platform.platform import Platform
from charts_py.platform.platform_priority import platform_priority


def container(platform: Platform, image: str, cpu: str, memory: str) -> dict[str, Any]:
    """Return what a container asks for; the operator states the rest of it."""
    requests = {"cpu": cpu, "memory": memory}
    return {"image": platform.mirrors.of(image), "resources": {"requests": requests}}


def log_reader(platform: Platform, image: str) -> dict[str, Any]:
    """Return the container that prints the log of another.

    It runs the image of that one: all it takes is a shell.
    """
    return container(platform, image, cpu="10m", memory="32Mi")


def template(platform: Platform, pod: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return what is stated of a pod itself.

    No pod of a team evicts it: jobs would end that Kubernetes knows nothing of.
    """
    spec = {
        **pull_secrets(platform.cluster.pull_secret_names),
        "priorityClassName": platform_priority(platform.cluster),
        **(pod or {}),
    }
    return {"spec": spec}
