"""Mirrors of registries that no image comes from, and images whose registry admission refuses."""

from collections.abc import Iterable, Iterator

from charts_py.cluster_file.cluster import Cluster
from charts_py.cluster_file.fault import Problem
from charts_py.cluster_file.gitops import is_registry
from charts_py.components.definition import Definition
from charts_py.platform.draft import Draft
from charts_py.platform.platform import Platform
from gpus.nearest import nearest
from policies.image import read_image, registry_of
from policies.rule_name import Mode, RuleName
from policies.rules.image_registry import is_from

_READ = ("region", "webhook", "policies")
"""Fields that say where images come from."""


def check_unused_registries(draft: Draft, definitions: Iterable[Definition]) -> Iterator[Problem]:
    """Yield a problem for each mirror of a registry that nothing uses.

    Components that this cluster does not have count: what clusters share is for all of them.
    """
    if not all(draft.is_whole((field,)) for field in _READ):
        return
    used = sorted({*_of_components(draft.cluster, definitions), *_of_pods(draft.cluster)})
    for name in draft.cluster.registries:
        if is_registry(name) and name not in used:
            what = f"no component has an image of {name}, and policies.registries no prefix"
            yield Problem(("registries", name), what, ", ".join(used), nearest(name, used))


def _of_components(cluster: Cluster, definitions: Iterable[Definition]) -> Iterator[str]:
    for definition in definitions:
        if definition.registries is not None:
            yield from definition.registries(cluster)
            continue
        for chart in definition.charts:
            yield from (registry_of(image.repository) for image in chart.images)


def _of_pods(cluster: Cluster) -> Iterator[str]:
    return (prefix.partition("/")[0] for prefix in cluster.policies.registries)


def refused_images(platform: Platform, images: Iterable[str]) -> Iterator[str]:
    """Yield those of some images, as they are in mirrors, that admission refuses in GPU pods."""
    policies = platform.cluster.policies
    mode = policies.rules.get(RuleName.IMAGE_REGISTRY, policies.mode)
    allowed = platform.mirrors.allowed(policies.registries)
    if allowed and mode is Mode.ENFORCE:
        for image in map(platform.mirrors.of, images):
            if not is_from(read_image(image), allowed):
                yield image


def allowed_images(platform: Platform) -> str:
    places = ", ".join(platform.mirrors.allowed(platform.cluster.policies.registries))
    return f"an image below {places}; or its registry in policies.registries"
