"""The file of MIG layouts that the GPU operator's MIG manager applies to nodes.

https://github.com/NVIDIA/mig-parted
"""

from collections.abc import Iterable

from charts_py.objects.document import Document
from charts_py.platform.platform import PlatformPool
from gpus.mig import ALL_DISABLED


def mig_parted_config(pools: Iterable[PlatformPool]) -> Document:
    """Return the file with each layout that the pools' nodes ask for by their label."""
    layouts = {ALL_DISABLED: [{"devices": "all", "mig-enabled": False}]}
    for pool in pools:
        if name := pool.facts.sharing.mig_config_name:
            layout = {
                "devices": "all",
                "mig-enabled": True,
                "mig-devices": dict(sorted(pool.facts.sharing.mig)),
            }
            layouts[name] = [layout]
    return {"version": "v1", "mig-configs": dict(sorted(layouts.items()))}
