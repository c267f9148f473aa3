"""Says what running workloads would meet when their pods start again after a change."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from charts_py.objects.document import Document
from gpuplane.plan.declared_settings import declared_settings
from gpuplane.versions.comparison import PlacedDocuments
from policies.admission import Effect, Outcome, Review
from policies.document import elements, members, objects, text
from policies.engine import Engine
from policies.manifest_admission import admit_manifest
from policies.manifest_pod import manifest_pods
from policies.operation import copied
from policies.pod import DEFAULT_NAMESPACE, Pod
from policies.reach import Offer
from policies.settings import Settings
from policies.settings_json import SettingsError

_Identity: TypeAlias = tuple[str, str, str]
_ENDED = ("Succeeded", "Failed")
_TEMPLATE_HASH = "pod-template-hash"
"""Label of the pods of a Deployment, and what the name of their ReplicaSet ends with."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A workload that is admitted now, and would be refused after the change."""

    workload: str
    """A workload such as `Deployment search-serving/ranker`."""
    rule: str
    message: str
    """The message of the rule, and what to do."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A pool or a resource that pods ask for and that is gone."""

    name: str
    workloads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WorkloadImpact:
    """The consequences of a change for the workloads that somebody listed."""

    read: int
    """The number of workloads, without those that another one of them makes."""
    refused: tuple[Refusal, ...] = ()
    refused_already: int = 0
    resources: tuple[Loss, ...] = ()
    pools: tuple[Loss, ...] = ()
    """Pools that are gone, by the workloads that can run nowhere else."""


def workload_impact(
    workloads: Iterable[Document], before: Settings, after: Settings, today: dt.date
) -> WorkloadImpact:
    found = tuple(makers(workloads))
    old, new = Engine(before), Engine(after)
    admitted = [one for one in found if not any(_denied(old, one, today))]
    resources, pools = (_asked(found, old.offer, of) for of in (_resources, _only_pool))
    return WorkloadImpact(
        read=len(found),
        refused=tuple(each for one in admitted for each in _refusals(new, one, today)),
        refused_already=len(found) - len(admitted),
        resources=tuple(_lost(resources, new.offer.resources)),
        pools=tuple(_lost(pools, [pool.name for pool in after.pools])),
    )


def known_impact(
    workloads: Iterable[Document],
    sides: Iterable[tuple[PlacedDocuments, Settings | None]],
    today: dt.date,
) -> WorkloadImpact | str:
    """Return what workloads would meet between two versions, or why that is not known.

    Each side has the settings of a version that renders none, where they are known.
    """
    try:
        before, after = (declared_settings(documents) or known for documents, known in sides)
    except SettingsError as error:
        return str(error)
    if before is None or after is None:
        return "one of the versions renders no settings of the rules"
    return workload_impact(workloads, before, after, today)


def makers(workloads: Iterable[Document]) -> Iterator[Document]:
    """Yield the objects that make pods, and that none of the others makes, unless they ended."""
    found = [one for document in workloads for _, one in objects(document) if not _has_ended(one)]
    known = {_identity(one) for one in found}
    for one in found:
        if any(manifest_pods(one)) and not known.intersection(_owners(one)):
            yield one


def _identity(one: Document) -> _Identity:
    metadata = members(one.get("metadata"))
    namespace = text(metadata.get("namespace")) or DEFAULT_NAMESPACE
    return text(one.get("kind")), namespace, text(metadata.get("name"))


def _has_ended(one: Document) -> bool:
    status = members(one.get("status"))
    return status.get("phase") in _ENDED or "completionTime" in status


def _owners(one: Document) -> Iterator[_Identity]:
    """Yield what made an object; of a pod of a ReplicaSet, also the Deployment that made that."""
    _, namespace, _ = _identity(one)
    metadata = members(one.get("metadata"))
    suffix = f"-{text(members(metadata.get('labels')).get(_TEMPLATE_HASH))}"
    for owner in map(members, elements(metadata.get("ownerReferences"))):
        kind, name = text(owner.get("kind")), text(owner.get("name"))
        yield kind, namespace, name
        if kind == "ReplicaSet" and name.endswith(suffix):
            yield "Deployment", namespace, name.removesuffix(suffix)


def named(one: Document) -> str:
    kind, namespace, name = _identity(one)
    return f"{kind} {namespace}/{name}"


def _denied(engine: Engine, one: Document, today: dt.date) -> Iterator[Outcome]:
    admission = admit_manifest(engine, copied(one), Review(DEFAULT_NAMESPACE, today))
    return (each for each in admission.outcomes if each.effect is Effect.DENIED)


def _refusals(engine: Engine, one: Document, today: dt.date) -> Iterator[Refusal]:
    for finding in dict.fromkeys(outcome.finding for outcome in _denied(engine, one, today)):
        message = f"{finding.message} {finding.remedy}".strip()
        yield Refusal(named(one), str(finding.rule.value), message)


def _asked(
    found: Iterable[Document], offer: Offer, of: Callable[[Offer, Pod], Iterable[str]]
) -> dict[str, list[str]]:
    """Return the workloads by what their pods need, such as a resource."""
    asked = defaultdict[str, list[str]](list)
    for one in found:
        for made in manifest_pods(one):
            for name in of(offer, Pod(made.document, offer.names.is_gpu)):
                asked[name].append(named(one))
    return asked


def _resources(offer: Offer, pod: Pod) -> Iterable[str]:
    return (resource for resource in pod.gpus if resource in offer.by_resource)


def _only_pool(offer: Offer, pod: Pod) -> Iterable[str]:
    pools = offer.reach(pod).pools if pod.asks_for_gpu else ()
    return [pool.name for pool in pools] if len(pools) == 1 else ()


def _lost(asked: Mapping[str, list[str]], left: Iterable[str]) -> Iterator[Loss]:
    kept = frozenset(left)
    for name in sorted(asked.keys() - kept):
        yield Loss(name, tuple(dict.fromkeys(asked[name])))
