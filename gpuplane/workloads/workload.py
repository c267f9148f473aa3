"""A workload as it is to be applied: its objects, as admission leaves them."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from charts_py.cluster_file.fault import RenderError
from charts_py.cluster_file.other_names import unknown_name
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from gpuplane.workloads.asked import NO_CHECKPOINT, Asked
from gpuplane.workloads.kind import Kind
from gpuplane.workloads.lifetime import spot_notes
from gpuplane.workloads.network import network_notes
from gpuplane.workloads.nvlink_domain import domain_notes
from gpuplane.workloads.parse_request import parse_request
from gpuplane.workloads.reason import Explained, Reason, explained, path_in
from gpuplane.workloads.registry import BY_NAME
from gpuplane.workloads.request import NOTHING, Request
from gpuplane.workloads.run_record import run_notes
from policies.admission import Effect, Review, today
from policies.engine import Engine
from policies.manifest_admission import ManifestAdmission, admit_manifest
from policies.operation import copied


@dataclass(frozen=True, slots=True)
class Workload:
    """The objects of a workload, and what is to be said of them."""

    objects: tuple[Explained, ...]
    notes: tuple[str, ...]
    """What must be there besides, and what admission would do."""

    @property
    def documents(self) -> tuple[Document, ...]:
        return tuple(each.document for each in self.objects)


def new_workload(asked: Asked, platform: Platform) -> Workload:
    """Return the workload that is asked for, as it is right for the cluster.

    Raises RenderError with what is wrong with what is asked, or with what admission denies of it.
    """
    kind = kind_of(asked.kind)
    request = parse_request(asked, kind, platform)
    objects = [explained(tree) for tree in kind.build(request)]
    admissions = _admissions(objects, request)
    notes = (
        *kind.notes(request),
        *_not_together(request, kind, objects[-1].document),
        *_shared_by_default((each.document for each in objects), kind),
        *network_notes(request),
        *domain_notes(request),
        *((*spot_notes(request), *run_notes(request)) if kind.stores and not kind.served else ()),
        *(found.text for one in admissions for found in _found(one, Effect.WARNED)),
    )
    # Rules of the platform team's own may fix something.
    admitted = (
        Explained(admission.document, (*one.reasons, *_found(admission, Effect.FIXED)))
        for one, admission in zip(objects, admissions, strict=True)
    )
    return Workload(tuple(admitted), notes)


def _not_together(request: Request, kind: Kind, document: Document) -> Iterator[str]:
    """Yield that nothing starts its pods all at once; `document` is what they belong to."""
    gangs = request.platform.contribution.gangs
    if request.nodes > 1 and gangs is None:
        yield (
            f"{request.platform.name} has no queues: pods that find GPUs hold them while others of "
            "the same job still wait"
        )
    is_alone = request.nodes == 1 and kind.beside == NOTHING
    if is_alone or gangs is None or kind.annotates_gang:
        return
    if not gangs.makes(document["apiVersion"], document["kind"]):
        yield f"its pods wait one by one, so that it may start in part: {gangs.others}"


def _shared_by_default(documents: Iterable[Document], kind: Kind) -> Iterator[str]:
    for document in documents:
        if document["kind"] != "PersistentVolumeClaim":
            continue
        spec = document["spec"]
        if "ReadWriteMany" in spec["accessModes"] and "storageClassName" not in spec:
            yield (
                f"the claim {document['metadata']['name']} is ReadWriteMany, since several pods "
                "mount it, and names no storage class: the default one must have such volumes, "
                f"which disks of clouds are not; or leave it out by --{kind.volume} {NO_CHECKPOINT}"
            )


_SERVERS = ("deployment", "inference", "inferenceservice", "leaderworkerset", "server")
_OF_SERVERS = "; a server is an llm, or else a service"


def kind_of(name: str) -> Kind:
    """Return the kind of that name; raise RenderError for an unknown one."""
    if name not in BY_NAME:
        raise unknown_kind(name, BY_NAME)
    return BY_NAME[name]


def unknown_kind(name: str, allowed: Collection[str]) -> RenderError:
    of_servers = _OF_SERVERS if name in _SERVERS else ""
    return RenderError(unknown_name("kind", name, allowed) + of_servers)


def _admissions(objects: Iterable[Explained], request: Request) -> list[ManifestAdmission]:
    """Return what admission does to the objects; raise RenderError with what it denies of them."""
    engine = Engine(request.settings)
    review = Review(request.namespace.name, today())
    admissions = [admit_manifest(engine, copied(each.document), review) for each in objects]
    denied = [found.text for one in admissions for found in _found(one, Effect.DENIED)]
    if denied:
        raise RenderError("\n".join(denied))
    return admissions


def _found(admission: ManifestAdmission, effect: Effect) -> Iterator[Reason]:
    for finding, outcome in zip(admission.findings, admission.outcomes, strict=True):
        if outcome.effect is effect:
            yield Reason(path_in(admission.document, finding.path), finding.sentence)
