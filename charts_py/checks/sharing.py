"""How GPUs are shared: what the model can, and what the provider lets one choose."""

from collections.abc import Iterator

from charts_py.checks.draft import Draft, DraftPool
from charts_py.spec.fault import Problem
from gpus.sharing import sharing_problems


def check_sharing(draft: Draft) -> Iterator[Problem]:
    """Yield a problem for each way of sharing that the GPU or the provider cannot have."""
    for pool in draft.pools:
        if pool.hardware is None:
            continue
        problems = sharing_problems(pool.sharing, pool.hardware.model)
        for what in problems:
            yield Problem((*pool.path, "sharing"), what)
        if not problems:
            yield from _of_provider(draft, pool)


def _of_provider(draft: Draft, pool: DraftPool) -> Iterator[Problem]:
    provider, sharing = draft.cluster.provider, pool.sharing
    geometry = pool.hardware.model.mig if pool.hardware else None
    if draft.provider.uniform_mig and sharing.mig and geometry is not None:
        most = {profile.name: profile.most for profile in geometry.profiles}
        if any(most[profile] != count for profile, count in sharing.mig):
            allowed = ", ".join(f"{{{name}: {count}}}" for name, count in most.items())
            what = f"{provider} cuts every GPU into as many instances of one profile as fit"
            yield Problem((*pool.path, "sharing", "mig"), what, allowed)
    clients = draft.provider.most_clients
    if clients is not None and sharing.replicas > clients:
        field = "mps" if sharing.mps > 1 else "timeSlicing"
        yield Problem(
            (*pool.path, "sharing", field),
            f"{sharing.replicas} pods on a GPU; {provider} lets fewer share one",
            f"at most {clients}",
        )
