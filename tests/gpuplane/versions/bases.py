"""A base of plans that no repository has."""

from pathlib import Path

from gpuplane.versions.base import Base
from gpuplane.versions.git import Checkout, Commit

_OBJECT_NAME = "4f2a91c07d5e63b8a1f09c2d7e84b5a6f3d1c0e9"


def base_at(reference: str) -> Base:
    """Return the tip of a reference."""
    return Base(reference, Commit(Checkout(Path()), reference, _OBJECT_NAME))


MAIN = base_at("main")
