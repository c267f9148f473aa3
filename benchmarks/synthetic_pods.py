"""Random GPU pods: right, wrong and odd ones, the same for the same seed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from policies.document import Document
from policies.operation import copied
from policies.settings import Settings

_TABLE = Path(__file__).with_suffix(".json")
_NAMESPACES = ("default", "kube-system", "foreign")
"""Namespaces that belong to no team."""
_OFTEN, _EVEN, _RARE = 0.9, 0.5, 0.1
"""Probabilities."""


@cache
def _parts() -> Mapping[str, Sequence[Any]]:
    """Return what pods are made of: values of fields, by what they are."""
    parts: Mapping[str, Sequence[Any]] = json.loads(_TABLE.read_bytes())
    return parts


def synthetic_pods(seed: int, settings: Settings) -> Iterator[tuple[str, Document]]:
    """Yield pods without end, each with the namespace that its request names."""
    chance = Random(seed)  # noqa: S311 # it makes examples, not secrets
    offered = {resource.name for pool in settings.pools for resource in pool.resources}
    resources = sorted(offered | set(_parts()["resources"]))
    namespaces = (*sorted(settings.namespaces), *_NAMESPACES)
    for number in count():
        yield chance.choice(namespaces), _pod(chance, f"pod-{number}", resources)


def _pod(chance: Random, name: str, resources: Sequence[str]) -> Document:
    parts = _parts()
    metadata = {
        "name": name,
        **_maybe(chance, "labels", parts["labels"]),
        **_maybe(chance, "annotations", parts["annotations"], rarely=True),
    }
    spec = {
        "containers": [_container(chance, resources, n) for n in range(chance.randint(1, 2))],
        **_maybe(chance, "initContainers", [[_container(chance, resources, 2)]], rarely=True),
        **_maybe(chance, "nodeSelector", parts["selectors"]),
        **_maybe(
            chance, "tolerations", [[chance.choice(parts["tolerations"])], [], None], rarely=True
        ),
        **_maybe(chance, "volumes", [[chance.choice(parts["volumes"])], [], None]),
        **_maybe(chance, "priorityClassName", parts["priorities"], rarely=True),
        **_maybe(chance, "priority", [0], rarely=True),
        **_maybe(chance, "hostIPC", [True], rarely=True),
        **_maybe(chance, "resourceClaims", [[{"name": "gpu"}]], rarely=True),
        **_maybe(chance, "runtimeClassName", ["nvidia"], rarely=True),
        **_maybe(chance, "unknown", [{"kept": [1, None, 2.5]}], rarely=True),
    }
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def _container(chance: Random, resources: Sequence[str], number: int) -> Document:
    parts = _parts()
    amounts = {}
    if chance.random() < _OFTEN:
        amounts = {chance.choice(resources): chance.choice(parts["amounts"])}
    memory = {"memory": chance.choice(parts["memory"]), "cpu": chance.choice((1, "500m", 96))}
    return {
        "name": f"{chance.choice(('train', 'serve', 'log'))}-{number}",
        "image": chance.choice(parts["rightImages" if chance.random() < _OFTEN else "wrongImages"]),
        "resources": {
            **_maybe(chance, "limits", [amounts, {**amounts, **memory}, None]),
            **_maybe(chance, "requests", [amounts, {**amounts, **memory}, {}]),
        },
        **_maybe(chance, "env", [[chance.choice(parts["variables"])], None], rarely=True),
        **_maybe(chance, "volumeMounts", [[chance.choice(parts["mounts"])]]),
        **_maybe(chance, "securityContext", parts["security"], rarely=True),
        **_maybe(chance, "restartPolicy", ["Always"], rarely=True),
    }


def _maybe(
    chance: Random, field: str, values: Sequence[Any], *, rarely: bool = False
) -> Mapping[str, Any]:
    likely = _RARE if rarely else _EVEN
    return {field: copied(chance.choice(values))} if chance.random() < likely else {}
