"""How GPUs are shared: what the model supports, and what the provider allows."""

from collections.abc import Collection, Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.platform.draft import Draft, DraftPool
from charts_py.platform.provider_facts import ProviderFacts
from gpus.mig import MigGeometry, MigProfile
from gpus.model import GpuModel
from gpus.pool_facts import ResourceNaming
from gpus.sharing import Sharing, SharingWay, sharing_problems

_FIELDS = {SharingWay.MIG: "mig", SharingWay.TIME_SLICING: "timeSlicing", SharingWay.MPS: "mps"}


def check_sharing(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each way of sharing that the GPU or the provider does not support."""
    for pool in draft.pools:
        path = (*pool.path, "sharing")
        if pool.hardware is None or not draft.is_whole(path):
            continue
        problems = tuple(_check_model(path, pool.sharing, pool.hardware.model))
        yield from problems or _check_provider(draft, pool, path)
    yield from _check_mps_beside_mig(draft)


def _check_mps_beside_mig(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each pool that uses MPS where another makes the MIG strategy mixed.

    The operator gives one strategy to the device plugins of all nodes, and one that shares by MPS
    does not start with it (`validateFlags` in cmd/nvidia-device-plugin/main.go of
    https://github.com/NVIDIA/k8s-device-plugin, v0.20.0). The strategy `single`, which it starts
    with, gives every instance the name of a whole GPU, as only some providers want it.
    """
    if draft.provider.naming is not ResourceNaming.OWN:
        return
    pools = draft.shareable_pools
    partitioned = ", ".join(pool.name for pool in pools if pool.sharing.mig)
    for pool in pools:
        if partitioned and pool.sharing.mps > 1:
            what = f"the device plugin does not start with MPS beside MIG ({partitioned})"
            allowed = "timeSlicing; or MPS in a cluster without MIG"
            yield Problem((*pool.path, "sharing", "mps"), what, allowed)


def _check_model(path: FieldPath, sharing: Sharing, model: GpuModel) -> Iterator[Problem]:
    """Yield each problem at the way of sharing that causes it, or at `sharing` if several do."""
    for problem in sharing_problems(sharing, model):
        field = _FIELDS[problem.way] if problem.way else None
        yield Problem((*path, field) if field else path, problem.text)


def _check_provider(draft: Draft, pool: DraftPool, path: FieldPath) -> Iterator[Problem]:
    provider, sharing, facts = draft.cluster.provider, pool.sharing, draft.provider
    model = pool.hardware.model if pool.hardware else None
    if facts.uniform_mig and sharing.mig and model is not None and model.mig is not None:
        accelerator = draft.catalog.accelerators(facts.name).get(model.name)
        known = accelerator.mig_profiles if accelerator else None
        profiles = _profiles(model.mig, known, facts)
        if dict(sharing.mig) not in [{profile.name: profile.max_count} for profile in profiles]:
            what = f"{provider} partitions every GPU into as many instances of one profile as fit"
            allowed = ", ".join(f"{{{profile.name}: {profile.max_count}}}" for profile in profiles)
            yield Problem((*path, "mig"), what, allowed)
    if facts.max_clients is not None and sharing.time_slicing > facts.max_clients:
        what = f"{sharing.time_slicing} pods on a GPU; {provider} allows fewer"
        yield Problem((*path, "timeSlicing"), what, f"at most {facts.max_clients}")


def _profiles(
    geometry: MigGeometry, known: Collection[str] | None, provider: ProviderFacts
) -> list[MigProfile]:
    """Return the profiles that the provider can be asked for; all where it does not list any."""
    profiles = [each for each in geometry.profiles if known is None or each.name in known]
    if not provider.one_mig_profile_per_size:
        return profiles
    first_of_size: dict[int, MigProfile] = {}
    for profile in profiles:
        first_of_size.setdefault(profile.compute_slices, profile)
    return list(first_of_size.values())
