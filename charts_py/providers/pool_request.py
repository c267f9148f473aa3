"""What is asked of a provider for a pool."""

from charts_py.platform.platform import PlatformPool
from charts_py.render_error import RenderError
from gpus.taint import Taint


def own_taints(pool: PlatformPool) -> tuple[Taint, ...]:
    """Return the taints that the provider does not set by itself."""
    return tuple(taint for taint in pool.facts.taints if taint not in pool.facts.provider_taints)


def taint_objects(taints: tuple[Taint, ...]) -> list[dict[str, str]]:
    """Return taints as the core API writes them (`v1.Taint`)."""
    return [{"key": taint.key, "value": taint.value, "effect": taint.effect} for taint in taints]


def fewest_nodes(pool: PlatformPool) -> int:
    """Return the size below which the cluster autoscaler does not go.

    It knows a least size only, so that it keeps warm nodes as part of it and not on top.
    """
    return max(pool.spec.nodes.min, pool.spec.nodes.warm)


def instance_type_of(pool: PlatformPool) -> str:
    """Return the instance type; raise RenderError where the pool names only a GPU model."""
    if pool.spec.instance_type is None:
        raise RenderError(f"pool {pool.name} names no instance type; name one in instanceType")
    return pool.spec.instance_type
