"""Starts a notebook on each profile of a hub, for the Python that has KubeSpawner.

Arguments: the folder that stands for `/usr/local/etc/jupyterhub` in the hub, and the namespace. The
configuration is that of the chart. Prints the pods that it sends, by profile, and then a line once
each of them runs.
"""

# KubeSpawner, and what the chart brings, are where this runs alone.
# mypy: disable-error-code=import-not-found

import asyncio
import io
import json
import os
import sys
from pathlib import Path
from typing import Any
from unittest import mock

from kubernetes_asyncio.client import ApiClient
from kubespawner import KubeSpawner
from traitlets.config import PyFileConfigLoader

ETC = "/usr/local/etc/jupyterhub"
SERVICES = ("JUPYTERHUB_HUB", "JUPYTERHUB_PROXY_API", "JUPYTERHUB_PROXY_PUBLIC")


def read_config(folder: Path, namespace: str) -> Any:
    """Return what the chart configures, whose files are elsewhere than its module says."""
    os.environ |= {f"{each}_SERVICE_{key}": "8081" for each in SERVICES for key in ("HOST", "PORT")}
    os.environ["POD_NAMESPACE"] = namespace
    sys.path.insert(0, str(folder / "config"))
    import z2jh

    z2jh.open = lambda path: io.StringIO(Path(path.replace(ETC, str(folder))).read_text())
    exists = os.path.exists
    z2jh.os = mock.Mock(wraps=os, environ=os.environ)
    z2jh.os.path.exists = lambda path: exists(path.replace(ETC, str(folder)))
    return PyFileConfigLoader("jupyterhub_config.py", str(folder / "config")).load_config()


def spawner_of(config: Any, slug: str) -> KubeSpawner:
    user = mock.Mock(id=slug, url="/", escaped_name=slug)
    user.name = f"{slug}@example.com"
    spawner = KubeSpawner(_mock=True, config=config, user=user)
    spawner.user_options = {"profile": slug}
    spawner.api_token = slug
    return spawner


async def main(folder: Path, namespace: str) -> None:
    config = read_config(folder, namespace)
    spawners = {
        each["slug"]: spawner_of(config, each["slug"]) for each in config.KubeSpawner.profile_list
    }
    sent = {}
    for slug, each in spawners.items():
        await each.load_user_options()
        sent[slug] = await each.get_pod_manifest()
    async with ApiClient() as client:
        _tell(json.dumps(client.sanitize_for_serialization(sent)))
    await asyncio.gather(*(each.start() for each in spawners.values()))
    _tell("started")
    await asyncio.Event().wait()


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
