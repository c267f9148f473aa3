"""GPU models and instance types that are neither listed nor described."""

import re
from collections.abc import Iterable, Iterator

from charts_py.cluster_file.fault import FieldPath, Problem
from charts_py.platform.name_rule import NameRule, check_name
from gpus.catalog import Catalog, unsupported_instance_type, unsupported_model
from gpus.instance_type import InstanceType
from gpus.nearest import MAX_SUGGESTIONS, is_one_typo, nearest
from gpus.platform_names import MAX_LABEL_VALUE
from gpus.provider import Provider

_WORD = "[A-Za-z]{5,}"
"""A word such as `xlarge` or `highgpu`. In what is shorter, as of g6 and g6e, one letter more is
another family."""


def unknown_model(path: FieldPath, name: str, catalog: Catalog) -> Problem:
    if (other := unsupported_model(name)) is not None:
        allowed = "a GPU model that `gpuplane hardware` lists"
        return Problem(path, f'"{name}" names no GPU, but {other}', allowed)
    allowed = "a model that `gpuplane hardware` lists, or hardware.models describes"
    return Problem(path, f'unknown GPU model "{name}"', allowed, _nearest_models(name, catalog))


def _nearest_models(name: str, catalog: Catalog) -> tuple[str, ...]:
    """Return up to `MAX_SUGGESTIONS` models, best first.

    A vendor's product label names one. Otherwise those whose name begins with a word of the wrong
    one come first: `nvidia-h200` is near to the form factors of the H200, and not to a B200.
    """
    models = catalog.models.values()
    if products := [each.name for each in models if each.product.lower() == name.lower()]:
        return tuple(products[:MAX_SUGGESTIONS])
    words = {word for word in re.split(r"[^a-z0-9]+", name.lower()) if word}
    meant = [each.name for each in models if each.name.lower().split("-")[0] in words]
    ranked = nearest(name, meant or catalog.models)
    return (*ranked, *(each for each in meant if each not in ranked))[:MAX_SUGGESTIONS]


def no_instance_type(
    path: FieldPath, gpu: tuple[str | None, int | None], provider: Provider, catalog: Catalog
) -> Problem:
    """Return the problem of a pool that names only its GPU model and the number of them."""
    offered = catalog.instance_types[provider].values()
    of_model = tuple(each.name for each in offered if each.gpu == gpu[0])
    near = _with_gpus(gpu, offered) or of_model[:MAX_SUGGESTIONS]
    allowed = f"an instance type, as `gpuplane hardware {provider}` lists"
    return Problem((*path, "instanceType"), "missing", allowed, near)


def unknown_instance_type(
    path: FieldPath, name: str, provider: Provider, catalog: Catalog
) -> Problem:
    path, offered = (*path, "instanceType"), catalog.instance_types[provider]
    mistaken = _mistaken(name, provider, catalog)
    if mistaken is not None:
        what, near = mistaken
        return Problem(path, what, f"an instance type of {provider}", near)
    if (other := unsupported_instance_type(name)) is not None:
        allowed = f"an instance type with GPUs, as `gpuplane hardware {provider}` lists"
        return Problem(path, f'"{name}" has {other}', allowed)
    what = f'unknown {provider} instance type "{name}"'
    allowed = f"one that `gpuplane hardware {provider}` lists, or hardware.instanceTypes describes"
    return Problem(path, what, allowed, _of_family(name, offered) or nearest(name, offered))


def _mistaken(
    name: str, provider: Provider, catalog: Catalog
) -> tuple[str, tuple[str, ...]] | None:
    """Return what a name is instead, and the instance types of the provider that come near it."""
    offered = catalog.instance_types[provider].values()
    for other, types in catalog.instance_types.items():
        if (machine := types.get(name)) is not None:
            what = f'"{name}" is an instance type of {other}; the provider is {provider}'
            return what, _with_gpus((machine.gpu, machine.gpus), offered)
    if name in catalog.models:
        what = f'"{name}" is a GPU model'
        return what, tuple(each.name for each in offered if each.gpu == name)
    return None


def _with_gpus(
    gpu: tuple[str | None, int | None], offered: Iterable[InstanceType]
) -> tuple[str, ...]:
    return tuple(each.name for each in offered if (each.gpu, each.gpus) == gpu)


def _of_family(name: str, offered: Iterable[str]) -> tuple[str, ...]:
    """Return instance types of a family, such as `p5`, where a name is no more than that."""
    begins = tuple(f"{name.lower()}{sign}" for sign in ".-_")
    return tuple(each for each in offered if each.lower().startswith(begins))[:MAX_SUGGESTIONS]


def instance_type_name_problems(
    path: FieldPath, provider: Provider, name: str, catalog: Catalog
) -> Iterator[Problem]:
    listed, pattern = catalog.instance_types[provider], catalog.offers[provider].name_pattern
    # Each name is a label value on its nodes.
    rule = NameRule(f"an instance type of {provider}", pattern, MAX_LABEL_VALUE, next(iter(listed)))
    problems = tuple(check_name(rule, path, name))
    yield from problems
    known = {word for one in listed for word in re.findall(_WORD, one)}
    for word in re.findall(_WORD, name):
        if not problems and word not in known and any(is_one_typo(word, one) for one in known):
            what = f'"{name}": {provider} has no "{word}"'
            yield Problem(path, what, ", ".join(sorted(known)), nearest(name, listed))
