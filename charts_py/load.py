"""From cluster files to platforms."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from charts_py.checks import CHECKS
from charts_py.checks.draft import Draft, DraftPool
from charts_py.platform.hardware import HardwareError, resolve_hardware
from charts_py.platform.platform import Platform, PlatformPool
from charts_py.platform.provider_facts import PROVIDERS
from charts_py.spec.cluster import Cluster
from charts_py.spec.fault import Fault, FieldPath, Mark, Problem, SpecError
from charts_py.spec.parse import Parsed, parse
from charts_py.spec.pool import Pool, SharingSpec
from charts_py.spec.source import Source, read_source
from gpus.catalog import load_catalog
from gpus.pool_facts import Advertiser, PoolFacts, PoolQuery, read_pool
from gpus.sharing import Sharing, sharing_problems

FLEET_FILE = "fleet.yaml"
"""What clusters share: fields of a cluster file that each may override."""


@dataclass(frozen=True, slots=True)
class ClusterFiles:
    """The cluster files of a folder."""

    fleet: Path | None
    clusters: tuple[Path, ...]


def find_cluster_files(directory: Path) -> ClusterFiles:
    """Return the cluster files of a folder, sorted; raise FileNotFoundError where there are none."""
    files = sorted(directory.glob("*.yaml"))
    fleet = next((file for file in files if file.name == FLEET_FILE), None)
    clusters = tuple(file for file in files if file.name != FLEET_FILE)
    if not clusters:
        raise FileNotFoundError(f"{directory}: no cluster file (*.yaml, besides {FLEET_FILE})")
    return ClusterFiles(fleet, clusters)


def load_platform(file: Path, fleet: Path | None) -> Platform:
    """Read one cluster file over what the fleet shares; raise SpecError with every fault."""
    own = read_source(file, str(file))
    shared = read_source(fleet, str(fleet)) if fleet else Source({}, {})
    marks = {**shared.marks, **own.marks}
    parsed = parse(_merged(shared.content, own.content))
    problems = list(parsed.problems)
    faults = [*shared.faults, *own.faults]
    if parsed.cluster is not None:
        draft = _draft(file, parsed.cluster, parsed, problems)
        problems += [problem for check in CHECKS for problem in check(draft)]
        if not problems and not faults:
            return _platform(draft)
    faults += [Fault(_mark(problem.path, marks), problem) for problem in problems]
    raise SpecError(faults)


def load_platforms(files: ClusterFiles) -> tuple[Platform, ...]:
    """Read all cluster files; raise SpecError with every fault of every file."""
    platforms: list[Platform] = []
    faults: dict[str, Fault] = {}
    for file in files.clusters:
        try:
            platforms.append(load_platform(file, files.fleet))
        except SpecError as error:
            faults |= {str(fault): fault for fault in error.faults}
    if faults:
        raise SpecError(faults.values())
    return tuple(platforms)


def _merged(shared: Any, own: Any) -> Any:
    """Lay one value over another: mappings key by key, anything else as a whole."""
    if not isinstance(shared, Mapping) or not isinstance(own, Mapping):
        return copy.deepcopy(own)
    keys = [*shared, *(key for key in own if key not in shared)]
    return {
        key: _merged(shared[key], own[key])
        if key in shared and key in own
        else copy.deepcopy(own[key] if key in own else shared[key])
        for key in keys
    }


def _mark(path: FieldPath, marks: Mapping[FieldPath, Mark]) -> Mark:
    """Return the line of a path, or of the nearest thing above it that the files have."""
    while path and path not in marks:
        path = path[:-1]
    return marks[path]


def _draft(file: Path, cluster: Cluster, parsed: Parsed, problems: list[Problem]) -> Draft:
    pools = []
    for name, pool in cluster.pools.items():
        try:
            pools.append(_draft_pool(name, pool, cluster))
        except HardwareError as error:
            problems += error.problems
            pools.append(DraftPool(name, pool, _sharing(pool.sharing), None, None))
    cut_pools = [
        str(path[1]) for path in parsed.cut if len(path) == 2 and path[0] == "pools"
    ]  # ("pools", name)
    return Draft(
        name=file.stem,
        cluster=cluster,
        pools=tuple(pools),
        named_pools=(*cluster.pools, *(name for name in cut_pools if name not in cluster.pools)),
        directory=file.parent,
        cut=parsed.cut,
    )


def _draft_pool(name: str, pool: Pool, cluster: Cluster) -> DraftPool:
    catalog = load_catalog()
    hardware = resolve_hardware(name, pool, cluster.provider, catalog)
    sharing = _sharing(pool.sharing)
    facts: PoolFacts | None = None
    if not sharing_problems(sharing, hardware.model):
        is_nvidia = hardware.model.vendor == "nvidia"
        query = PoolQuery(
            pool=name,
            provider=cluster.provider.value,
            model=hardware.model,
            gpus_per_node=hardware.gpus,
            sharing=sharing,
            purpose=pool.purpose.value,
            purchase=pool.purchase.value,
            interconnect=hardware.interconnect.value,
            advertiser=PROVIDERS[cluster.provider].advertiser if is_nvidia else Advertiser.OPERATOR,
        )
        facts = read_pool(query, catalog)
    return DraftPool(name, pool, sharing, hardware, facts)


def _sharing(spec: SharingSpec) -> Sharing:
    return Sharing(
        mig=tuple(sorted(spec.mig.items())),
        time_slicing=spec.time_slicing or 1,
        mps=spec.mps or 1,
    )


def _platform(draft: Draft) -> Platform:
    return Platform(
        name=draft.name,
        cluster=draft.cluster,
        pools=tuple(_platform_pools(draft.pools)),
        driver_owner=draft.driver_owner,
        directory=draft.directory,
    )


def _platform_pools(pools: Sequence[DraftPool]) -> list[PlatformPool]:
    return [
        PlatformPool(pool.name, pool.spec, pool.hardware, pool.facts)
        for pool in sorted(pools, key=lambda pool: pool.name)
        if pool.hardware is not None and pool.facts is not None
    ]
